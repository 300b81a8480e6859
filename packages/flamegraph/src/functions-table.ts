import { type FoldedStacks, functionChanges, functionShares } from '@ibench/core';
import { escapeHtml } from './escape.ts';
import { percent, signedPoints } from './format.ts';

/** Functions shown in the table under a graph. */
const SHOWN = 25;
/** Standard errors from which on a change is more than chance does in one of twenty cases. */
export const CLEAR_Z = 1.96;

/** The functions with the largest self shares; with a base, those whose share changed most. */
export function functionsTable(stacks: FoldedStacks, base: FoldedStacks | null): string {
  return base === null ? sharesTable(stacks) : changesTable(stacks, base);
}

function sharesTable(stacks: FoldedStacks): string {
  const rows = functionShares(stacks)
    .slice(0, SHOWN)
    .map(({ name, self, total }) => row(name, [percent(self), percent(total)]));
  return table('Functions by self share', ['self', 'with callees'], rows);
}

function changesTable(stacks: FoldedStacks, base: FoldedStacks): string {
  const rows = functionChanges(base, stacks)
    .filter(({ change }) => change !== 0)
    .slice(0, SHOWN)
    .map(({ name, baseSelf, self, change, z }) =>
      row(name, [
        percent(baseSelf),
        percent(self),
        `${change > 0 ? '▲' : change < 0 ? '▼' : ''} ${signedPoints(change)}`,
        `${z.toFixed(1)}${Math.abs(z) < CLEAR_Z ? ' (chance)' : ''}`,
      ]),
    );
  return table(
    rows.length === 0 ? 'No self share changed' : 'Functions whose self share changed most',
    ['self in base', 'self', 'change, points', 'z'],
    rows,
  );
}

function table(caption: string, columns: readonly string[], rows: readonly string[]): string {
  const head = ['function', ...columns].map((name) => `<th scope="col">${name}</th>`).join('');
  return `<div class="flame-scroll" role="region" tabindex="0" aria-label="${caption}"><table class="flame-functions"><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function row(name: string, cells: readonly string[]): string {
  const find = `<button type="button" data-find>${escapeHtml(name)}</button>`;
  return `<tr><th scope="row">${find}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
