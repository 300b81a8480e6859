import { hideCursor, type Plot, plotOf, showCursor } from './cursor.ts';
import { zoom } from './state.ts';

/** Where the cursor is in the chart that has the focus, seconds. */
let at: number | null = null;

/** In a focused chart: arrows move the cursor, + and - zoom around it, 0 and Escape show all. */
export function watchKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    const box = document.activeElement;
    if (!(box instanceof HTMLElement) || box.dataset.zoom === undefined) return;
    const plot = plotOf(box);
    if (plot === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (act(plot, event.key, event.shiftKey)) event.preventDefault();
  });
  document.addEventListener('focusin', () => {
    at = null;
  });
  document.addEventListener('focusout', hideCursor);
}

function act(plot: Plot, key: string, isFast: boolean): boolean {
  const [from, to] = plot.range;
  const middle = at ?? (from + to) / 2;
  const step = ((to - from) / 100) * (isFast ? 10 : 1);
  switch (key) {
    case 'ArrowLeft':
      return move(plot, middle - step);
    case 'ArrowRight':
      return move(plot, middle + step);
    case '+':
    case '=':
      return scale(plot, middle, 0.5);
    case '-':
      return scale(plot, middle, 2);
    case '0':
    case 'Escape':
      zoom(plot.box.dataset.step ?? '', null);
      return true;
    default:
      return false;
  }
}

function move(plot: Plot, second: number): true {
  at = Math.min(plot.range[1], Math.max(plot.range[0], second));
  showCursor(plot, at);
  return true;
}

function scale({ box, spec, range: [from, to] }: Plot, middle: number, factor: number): true {
  const span = Math.max(2, (to - from) * factor);
  const step = box.dataset.step ?? '';
  if (span >= spec.seconds) {
    zoom(step, null);
    return true;
  }
  const start = Math.min(Math.max(0, middle - span / 2), spec.seconds - span);
  zoom(step, [start, start + span]);
  return true;
}
