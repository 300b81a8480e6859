import { type Attributes, element } from '@ibench/chart';

/** An HTML element as text; it has an end tag whatever is in it. */
export function html(name: string, attributes: Attributes, ...children: string[]): string {
  return element(name, attributes, '', ...children);
}
