/**
 * Colours by name, light and dark. `c0` is the base, neutral; the others are Okabe and Ito's, told apart by people
 * with any colour vision, lightened or darkened where they would be weak on the ground. `a0` … are layers of a
 * stack: neighbours differ in lightness too.
 */
const PALETTE = {
  ground: ['#ffffff', '#15181c'],
  ink: ['#1c1f23', '#e8eaed'],
  quiet: ['#5b626b', '#a3abb5'],
  grid: ['#e3e6ea', '#2d3239'],
  c0: ['#5f6670', '#aab2bd'],
  c1: ['#0072b2', '#56a9e8'],
  c2: ['#c98500', '#f0b13c'],
  c3: ['#009e73', '#2cc597'],
  c4: ['#d55e00', '#ff8a45'],
  c5: ['#b5568c', '#e39ac4'],
  c6: ['#2b93cf', '#8fd0f7'],
  a0: ['#0072b2', '#3f95d6'],
  a1: ['#8cc7ee', '#a9d8f7'],
  a2: ['#e69f00', '#e0a021'],
  a3: ['#009e73', '#1fb588'],
  a4: ['#cc79a7', '#dd9cc1'],
  a5: ['#b7bcc4', '#6d7580'],
  a6: ['#d55e00', '#ff8a45'],
  a7: ['#f0d84a', '#f3e07a'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

type ColourName = keyof typeof PALETTE;

/** Contenders' colours before they begin again, with another dash and marker. */
const CONTENDERS = 6;
/** Layers' colours before they begin again. */
export const LAYER_COLOURS = 8;

const DASHES = [undefined, '7 3', '2 2.5', '9 3 2 3', '4 2 1 2 1 2'] as const;
const MARKERS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'star', 'wye'] as const;

/** How a row is drawn everywhere: no two of the first thirty are alike, also without colour. */
export interface RowStyle {
  readonly className: string;
  readonly dash: string | undefined;
  readonly marker: (typeof MARKERS)[number];
}

/** The style of a row by its position; the base (0) is neutral and dashed. */
export function rowStyle(row: number): RowStyle {
  if (row === 0) return { className: 'k0', dash: '4 3', marker: 'circle' };
  const contender = row - 1;
  return {
    className: `k${(contender % CONTENDERS) + 1}`,
    dash: DASHES[Math.floor(contender / CONTENDERS) % DASHES.length],
    marker: MARKERS[(contender + 1) % MARKERS.length]!,
  };
}

export type Theme = 'auto' | 'light' | 'dark';

/**
 * Style sheet of the charts inside an element of class `chart`. `auto` follows the reader's system, or an
 * attribute `data-theme` of the page.
 */
export function chartCss(theme: Theme): string {
  const colour: Colour =
    theme === 'auto'
      ? (name) => `var(--${name})`
      : (name) => PALETTE[name][theme === 'light' ? 0 : 1];
  return [...(theme === 'auto' ? variables() : []), ...rules(colour)].join('\n');
}

/** What a chart of this theme stands on. */
export function groundColour(theme: 'light' | 'dark'): string {
  return PALETTE.ground[theme === 'light' ? 0 : 1];
}

type Colour = (name: ColourName) => string;

function variables(): string[] {
  const declare = (column: 0 | 1): string =>
    Object.entries(PALETTE)
      .map(([name, colours]) => `--${name}:${colours[column]}`)
      .join(';');
  return [
    `:root{${declare(0)}}`,
    `@media (prefers-color-scheme:dark){:root{${declare(1)}}}`,
    `:root[data-theme=light]{${declare(0)}}`,
    `:root[data-theme=dark]{${declare(1)}}`,
    `@media print{:root,:root[data-theme]{${declare(0)}}}`,
  ];
}

function rules(colour: Colour): string[] {
  const rows = Array.from({ length: CONTENDERS + 1 }, (_, i) => {
    const value = colour(`c${i}` as ColourName);
    return `.chart .k${i} :is(.dots,.line,.marker,.hatching){stroke:${value}}.chart .k${i} .marker,.chart .k${i} .label{fill:${value}}`;
  });
  const layers = Array.from(
    { length: LAYER_COLOURS },
    (_, i) => `.chart .a${i}{fill:${colour(`a${i}` as ColourName)}}`,
  );
  return [
    `.chart{font:11px/1.3 system-ui,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;background:${colour('ground')}}`,
    `.chart text{fill:${colour('quiet')}}`,
    `.chart text.title{fill:${colour('ink')};font-size:13px;font-weight:600}`,
    `.chart .label{font-weight:600}`,
    `.chart .inside{fill:#10151b;font-size:10px}`,
    `.chart .grid{stroke:${colour('grid')};fill:none}`,
    `.chart .line{fill:none;stroke-width:1.7;stroke-linejoin:round}`,
    `.chart .dots{fill:none;stroke-width:2.2;stroke-linecap:round;opacity:.5}`,
    `.chart .ghost .line{stroke-width:1.1;stroke-dasharray:3 2.5;opacity:.9}`,
    `.chart .target,.chart .limit{fill:none;stroke:${colour('ink')};stroke-dasharray:1.5 3}`,
    `.chart .band{fill:${colour('quiet')};opacity:.13}`,
    `.chart .checkpoint{fill:${colour('quiet')};opacity:.2}`,
    `.chart .vacuum{fill:${colour('ink')};opacity:.65}`,
    `.chart .unity{stroke:${colour('quiet')}}`,
    `.chart .cursor{stroke:${colour('ink')};stroke-width:1;opacity:.7}`,
    ...rows,
    ...layers,
  ];
}
