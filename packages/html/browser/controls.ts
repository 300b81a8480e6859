import { markerPath, rowStyle } from '@ibench/chart';
import { change, current, onChange } from './state.ts';

/** The switches at the top: rows, overlay, zoom, colours. */
export function watchControls(): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('input[data-row]')];
  for (const mark of document.querySelectorAll<HTMLElement>('.mark')) {
    mark.innerHTML = sample(Number(mark.dataset.row));
  }
  const applyRows = (): void => {
    const off = boxes.filter(({ checked }) => !checked).map(({ dataset }) => Number(dataset.row));
    change({ hidden: new Set(off) });
  };
  for (const box of boxes) box.addEventListener('change', applyRows);
  applyRows();
  button('overlay').addEventListener('click', () => change({ overlay: !current().overlay }));
  button('reset').addEventListener('click', () => change({ ranges: new Map() }));
  button('theme').addEventListener('click', switchTheme);
  onChange(() => {
    for (const box of boxes) box.checked = !current().hidden.has(Number(box.dataset.row));
    button('overlay').setAttribute('aria-pressed', String(current().overlay));
    button('reset').disabled = current().ranges.size === 0;
  });
}

function button(id: string): HTMLButtonElement {
  return document.getElementById(id) as HTMLButtonElement;
}

/** The other one than what is seen now. */
function switchTheme(): void {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = root.dataset.theme ?? (dark ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
}

/** Line and marker of a row. */
function sample(row: number): string {
  const { className, dash, marker } = rowStyle(row);
  const dashes = dash === undefined ? '' : ` stroke-dasharray="${dash}"`;
  return `<svg class="chart" width="30" height="12" aria-hidden="true"><g class="${className}"><path class="line" d="M0 6H30"${dashes}/><path class="marker" d="${markerPath(marker, 30)}" transform="translate(15 6)"/></g></svg>`;
}
