import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import type { RowStyle } from './style.ts';
import { element, round } from './svg.ts';

const SYMBOLS: Readonly<Record<RowStyle['marker'], SymbolType>> = {
  circle: symbolCircle,
  square: symbolSquare,
  triangle: symbolTriangle,
  diamond: symbolDiamond,
  cross: symbolCross,
  star: symbolStar,
  wye: symbolWye,
};

/** Path of a marker around the origin, this many square pixels large. */
export function markerPath(marker: RowStyle['marker'], size: number): string {
  return symbol(SYMBOLS[marker], size).digits(1)() ?? '';
}

/** A marker drawn at this place. */
export function markerAt(marker: RowStyle['marker'], x: number, y: number): string {
  return element('path', {
    class: 'marker',
    d: markerPath(marker, 30),
    transform: `translate(${round(x)} ${round(y)})`,
  });
}
