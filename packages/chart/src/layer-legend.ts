import type { Frame } from './frame.ts';
import { LAYER_COLOURS } from './style.ts';
import { element, escapeMarkup } from './svg.ts';

/** Names of layers with their colours, in lines as wide as the plot, the lowest layer first. */
export function layerLegend(
  layers: readonly string[],
  frame: Frame,
  top: number,
): { readonly svg: string; readonly height: number } {
  let [x, y] = [frame.left, top];
  const entries = layers.map((name, i) => {
    const width = 22 + name.length * 6.4;
    if (x + width > frame.right && x > frame.left) [x, y] = [frame.left, y + 16];
    const entry =
      element('rect', { class: `a${i % LAYER_COLOURS}`, x, y: y - 9, width: 10, height: 10 }) +
      element('text', { x: x + 14, y }, escapeMarkup(name));
    x += width;
    return entry;
  });
  return { svg: entries.join(''), height: y + 8 };
}
