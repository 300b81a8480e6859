/** `/` leads to the search of the graph that has the focus, else of the one that is seen most. */
export function watchSearchKey(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey || isTyped(target)) return;
    const graph = target instanceof Element ? target.closest('.flame') : null;
    const search = (graph ?? seenMost())?.querySelector<HTMLInputElement>('.flame-search');
    if (search == null) return;
    event.preventDefault();
    search.focus();
  });
}

function isTyped(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}

/** The graph of which most is on the screen, else the first of those that are open; a closed one has no size. */
function seenMost(): HTMLElement | undefined {
  const open = [...document.querySelectorAll<HTMLElement>('.flame')].filter(
    ({ offsetHeight }) => offsetHeight > 0,
  );
  return open.sort((a, b) => heightOnScreen(b) - heightOnScreen(a))[0];
}

/** Pixels. */
function heightOnScreen(graph: HTMLElement): number {
  const { top, bottom } = graph.getBoundingClientRect();
  return Math.max(0, Math.min(bottom, window.innerHeight) - Math.max(top, 0));
}
