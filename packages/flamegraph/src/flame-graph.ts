import { readFileSync } from 'node:fs';
import type { FoldedStacks } from '@ibench/core';
import { escapeHtml, scriptJson } from './escape.ts';
import { functionsTable } from './functions-table.ts';
import { packFrames } from './payload.ts';

/** What a flame graph shows. */
export interface FlameGraph {
  readonly title: string;
  /** Said under the title: where and how it was sampled. */
  readonly notes: readonly string[];
  readonly stacks: FoldedStacks;
  /** Compared with; null: with nothing. Both are normalised to the same width. */
  readonly base: FoldedStacks | null;
}

/**
 * A flame graph as markup for a page that also has FLAME_CSS and, once and at its end, flameScript(). The table of
 * functions is readable without the script.
 */
export function flameGraph({ title, notes, stacks, base }: FlameGraph): string {
  const paragraphs = notes
    .map((note) => `<p class="flame-note">${escapeHtml(note)}</p>`)
    .join('\n');
  return `<section class="flame" aria-label="${escapeHtml(title)}">
<h2>${escapeHtml(title)}</h2>
${paragraphs}
<div class="flame-bar">
<label>Search <input type="search" class="flame-search" placeholder="text or /regular expression/" spellcheck="false"></label>
<output class="flame-matched" aria-live="polite"></output>
${base === null ? '' : WIDTHS}
<button type="button" class="flame-reset" disabled>Whole graph</button>
<span class="flame-help">Click or Enter: zoom · arrows: walk · Esc: back · /: search</span>
</div>
${base === null ? '' : LEGEND}
<div class="flame-frames" role="group" aria-label="Frames: the outermost at the bottom, as wide as their share"></div>
<p class="flame-readout" aria-live="polite">&nbsp;</p>
<script type="application/json" class="flame-data">${scriptJson(packFrames(stacks, base))}</script>
${functionsTable(stacks, base)}
</section>`;
}

const WIDTHS =
  '<label>Widths <select class="flame-widths"><option value="now">of the run</option><option value="base">of the base</option></select></label>';
const LEGEND =
  '<p class="flame-legend"><span class="flame-swatch less">smaller share</span><span class="flame-swatch same">same</span><span class="flame-swatch more">larger share than in the base</span></p>';

/** The script that draws all flame graphs of a page: a module without imports. */
export function flameScript(): string {
  const text = readFileSync(new URL('../browser/flame.js', import.meta.url), 'utf8');
  return text.replaceAll('</script', '<\\/script');
}

/** Styles of flame graphs; they follow the page's `color-scheme`. */
export const FLAME_CSS = `
.flame { --frame: light-dark(#f2b279, #7a4a24); --kernel: light-dark(#a9bfe8, #35496f); --unknown: light-dark(#d5d5d5, #4a4a4a);
  --more: 220 38 38; --less: 37 99 235; --same: light-dark(#e6e6e6, #3c3c3c); --edge: light-dark(#fff, #16181c); --mark: light-dark(#d81b9a, #ff5fc4); }
.flame h2 { margin: 0 0 .3em; font-size: 1.3em; overflow-wrap: anywhere; }
.flame-note { margin: .15em 0; color: light-dark(#555, #aaa); }
.flame-bar { display: flex; flex-wrap: wrap; gap: .4em 1em; align-items: center; margin: .8em 0 .5em; }
.flame-search { width: 17em; font: inherit; }
.flame-matched { min-width: 8em; font-variant-numeric: tabular-nums; }
.flame-help { color: light-dark(#666, #999); margin-left: auto; }
.flame-frames { position: relative; overflow: hidden; outline-offset: 3px; }
.flame-frames > div { position: absolute; height: 17px; box-sizing: border-box; padding: 0 3px; overflow: hidden; white-space: nowrap; text-overflow: clip;
  font: 11px/16px ui-monospace, Menlo, Consolas, monospace; color: light-dark(#1a1a1a, #eee); background: var(--same);
  border: 0 solid var(--edge); border-width: 0 1px 1px 0; cursor: pointer; }
.flame-frames > .narrow { padding: 0; }
.flame-frames > .user { background: var(--frame); }
.flame-frames > .kernel { background: var(--kernel); }
.flame-frames > .unknown { background: var(--unknown); }
.flame-frames > .passed { opacity: .55; }
.flame-frames > .dim { opacity: .35; }
.flame-frames > .found { box-shadow: inset 0 0 0 2px var(--mark); }
.flame-frames > div:hover { filter: brightness(1.12); }
.flame-frames > div:focus-visible { outline: 2px solid light-dark(#000, #fff); outline-offset: -2px; z-index: 1; }
.flame-readout { min-height: 2.6em; margin: .4em 0; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .85em; overflow-wrap: anywhere; }
.flame-legend { margin: 0 0 .5em; }
.flame-swatch { padding: 0 .6em; margin-right: .4em; border-radius: 3px; background: var(--same); }
.flame-swatch.more { background: color-mix(in oklab, var(--same), rgb(var(--more)) 60%); }
.flame-swatch.less { background: color-mix(in oklab, var(--same), rgb(var(--less)) 60%); }
.flame-functions { border-collapse: collapse; margin-top: 1em; font-variant-numeric: tabular-nums; }
.flame-functions caption { text-align: left; font-weight: 600; padding-bottom: .3em; }
.flame-functions th, .flame-functions td { padding: .12em .8em; text-align: right; border-bottom: 1px solid light-dark(#e3e3e3, #333); }
.flame-functions th:first-child { text-align: left; font-weight: normal; padding-left: 0; }
.flame-functions button { all: unset; cursor: pointer; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }
.flame-functions button:hover { text-decoration: underline; }
.flame-functions button:focus-visible { outline: 2px solid; }
`;
