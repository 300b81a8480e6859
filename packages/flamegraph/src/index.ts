export { FLAME_CSS, type FlameGraph, flameGraph, flameScript } from './flame-graph.ts';
export { type FlamePage, flamePage } from './flame-page.ts';
