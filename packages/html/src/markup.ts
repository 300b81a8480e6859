import { type Attributes, element } from '@ibench/chart';

/** An HTML element as text; it has an end tag whatever is in it. */
export function html(name: string, attributes: Attributes, ...children: string[]): string {
  return element(name, attributes, '', ...children);
}

/** The parts that are there, one after the other; null where none is. */
export function joined(...parts: readonly (string | null)[]): string | null {
  const present = parts.filter((part) => part !== null);
  return present.length === 0 ? null : present.join('');
}
