import { type ChartSpec, drawChart, drawSpark, type View } from '@ibench/chart';
import { chartsOf, loadedCharts } from './payload.ts';
import { current, onChange } from './state.ts';

const SPARK = { width: 120, height: 30 };
const visible = new Set<HTMLElement>();

/** Draws charts and thumbnails when they come into view, and again when something has changed. */
export function watchBoxes(): void {
  const boxes = allBoxes();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target as HTMLElement);
        else visible.delete(target as HTMLElement);
        if (isIntersecting) void drawBox(target as HTMLElement);
      }
    },
    { rootMargin: '240px' },
  );
  for (const box of boxes) observer.observe(box);
  onChange(redraw);
  let width = 0;
  // Asking now would lay the page out twice.
  requestAnimationFrame(() => {
    width = window.innerWidth;
  });
  window.addEventListener('resize', () => {
    if (window.innerWidth !== width) redraw();
    width = window.innerWidth;
  });
  window.addEventListener('beforeprint', drawAll);
}

function allBoxes(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.plot-box, .spark-box')];
}

/** Those in view now, the others when they come into view. What the reader looks at stays where it is. */
function redraw(): void {
  const anchor = [...visible].find((box) => box.getBoundingClientRect().bottom > 60);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  const { style } = document.documentElement;
  // The browser would move the page, too.
  style.overflowAnchor = 'none';
  for (const box of allBoxes()) delete box.dataset.drawn;
  for (const box of visible) {
    const spec = specOf(box);
    if (spec !== undefined) fill(box, spec);
    else void drawBox(box);
  }
  if (anchor !== undefined) window.scrollBy(0, anchor.getBoundingClientRect().top - before);
  requestAnimationFrame(() => style.removeProperty('overflow-anchor'));
}

/** The chart of a box if it is unpacked. */
function specOf({ dataset }: HTMLElement): ChartSpec | undefined {
  return loadedCharts(dataset.step ?? '')?.get(dataset.chart ?? '');
}

/** For paper: everything that is unpacked, at once. */
function drawAll(): void {
  for (const box of allBoxes()) {
    const spec = specOf(box);
    if (spec !== undefined && box.dataset.drawn === undefined) fill(box, spec);
  }
}

async function drawBox(box: HTMLElement): Promise<void> {
  if (box.dataset.drawn !== undefined) return;
  box.dataset.drawn = '';
  const spec = (await chartsOf(box.dataset.step ?? '')).get(box.dataset.chart ?? '');
  if (spec !== undefined) fill(box, spec);
}

function fill(box: HTMLElement, spec: ChartSpec): void {
  box.dataset.drawn = '';
  if (box.classList.contains('spark-box')) {
    box.innerHTML = sparkOf(box, spec);
    return;
  }
  const view = viewOf(box);
  if (spec.rows.every(({ row }) => view.hidden.has(row))) {
    box.style.minHeight = `${box.offsetHeight}px`;
    box.innerHTML = '<p class="note">All rows of this chart are hidden.</p>';
    return;
  }
  box.innerHTML = drawChart(spec, view);
  box.style.minHeight = '';
  if (spec.kind === 'time' || spec.kind === 'stack') {
    box.dataset.zoom = '';
    box.tabIndex = 0;
  }
}

/** How the chart of this box is looked at now. */
export function viewOf(box: HTMLElement): View {
  const { hidden, overlay, ranges } = current();
  const width = Math.max(280, box.clientWidth);
  return { width, hidden, overlay, range: ranges.get(box.dataset.step ?? '') ?? null };
}

function sparkOf(box: HTMLElement, spec: ChartSpec): string {
  if (spec.kind !== 'time') return '';
  const row = spec.rows.find((one) => one.row === Number(box.dataset.row));
  if (row === undefined) return '';
  const top = Math.max(...spec.rows.map(({ dots }) => largest(dots.y)));
  const title = `${row.label}: ${row.notes.join(', ')}`;
  return drawSpark(row.dots, { ...SPARK, seconds: spec.seconds, top }, { row: row.row, title });
}

function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! > most) most = values[i]!;
  }
  return most;
}
