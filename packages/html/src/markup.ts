import { type Attributes, element } from '@ibench/chart';

/** An HTML element as text; it has an end tag whatever is in it. */
export function html(name: string, attributes: Attributes, ...children: string[]): string {
  return element(name, attributes, '', ...children);
}

/** A table of these header cells and rows, scrolled sideways where it is wider than the page. */
export function scrolledTable(
  { label, className }: { readonly label: string; readonly className?: string },
  head: readonly string[],
  rows: readonly string[],
): string {
  return html(
    'div',
    { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': label },
    html(
      'table',
      { class: className },
      html('thead', {}, html('tr', {}, ...head)),
      html('tbody', {}, ...rows),
    ),
  );
}

/** The parts that are there, one after the other; null where none is. */
export function joined(...parts: readonly (string | null)[]): string | null {
  const present = parts.filter((part) => part !== null);
  return present.length === 0 ? null : present.join('');
}
