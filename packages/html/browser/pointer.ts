import { hideCursor, type Plot, plotOf, secondAt, showCursor } from './cursor.ts';
import { zoom } from './state.ts';

/** A narrower drag is a click. */
const LEAST_DRAG = 6;

interface Drag {
  readonly plot: Plot;
  readonly startX: number;
  readonly mark: HTMLElement;
}

let drag: Drag | null = null;

/** Moving shows the cursor, dragging zooms into the seconds dragged over, a double click shows all. */
export function watchPointer(): void {
  document.addEventListener('pointermove', (event) => {
    if (drag !== null) return stretch(drag, event.clientX);
    const plot = plotUnder(event);
    if (plot === undefined) hideCursor();
    else showCursor(plot, secondAt(plot, event.clientX));
  });
  document.addEventListener('pointerdown', (event) => {
    const plot = event.button === 0 ? plotUnder(event) : undefined;
    if (plot !== undefined) drag = begin(plot, event);
  });
  document.addEventListener('pointerup', (event) => {
    if (drag !== null) finish(drag, event.clientX);
    drag = null;
  });
  document.addEventListener('pointercancel', () => {
    drag?.mark.remove();
    drag = null;
  });
  document.addEventListener('dblclick', (event) => {
    const plot = plotUnder(event);
    if (plot !== undefined) zoom(plot.box.dataset.step ?? '', null);
  });
}

function plotUnder({ target }: Event): Plot | undefined {
  const box =
    target instanceof Element ? target.closest<HTMLElement>('.plot-box[data-zoom]') : null;
  return box === null ? undefined : plotOf(box);
}

function begin(plot: Plot, event: PointerEvent): Drag {
  event.preventDefault();
  plot.box.focus({ preventScroll: true });
  const mark = document.createElement('div');
  mark.className = 'brush';
  plot.box.append(mark);
  return { plot, startX: event.clientX, mark };
}

function stretch({ plot, startX, mark }: Drag, clientX: number): void {
  const box = plot.box.getBoundingClientRect().left;
  const inside = (x: number): number =>
    Math.min(plot.right * plot.pixels, Math.max(plot.left * plot.pixels, x - box));
  const [from, to] = [inside(Math.min(startX, clientX)), inside(Math.max(startX, clientX))];
  mark.style.left = `${from}px`;
  mark.style.width = `${to - from}px`;
}

function finish({ plot, startX, mark }: Drag, endX: number): void {
  mark.remove();
  if (Math.abs(endX - startX) < LEAST_DRAG) return;
  const from = secondAt(plot, Math.min(startX, endX));
  const to = secondAt(plot, Math.max(startX, endX));
  zoom(plot.box.dataset.step ?? '', [from, Math.max(to, from + 1)]);
}
