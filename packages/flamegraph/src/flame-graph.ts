import { bundleScript } from './bundle.ts';
import { escapeHtml } from './escape.ts';
import { functionsTable } from './functions-table.ts';
import type { FlameGraph } from './graph-of.ts';
import { packFrames } from './payload.ts';

/**
 * A flame graph as markup for a page that also has FLAME_CSS and, once and at its end, flameScript(). Its title is its
 * name for screen readers; a heading is the page's. The table of functions is readable without the script.
 */
export function flameGraph({ title, notes, stacks, base }: FlameGraph): string {
  const paragraphs = notes
    .map((note) => `<p class="flame-note">${escapeHtml(note)}</p>`)
    .join('\n');
  return `<section class="flame" aria-label="${escapeHtml(title)}">
${paragraphs}
<div class="flame-bar">
<label>Search <input type="search" class="flame-search" placeholder="text or /regular expression/" spellcheck="false"></label>
<output class="flame-matched" aria-live="polite"></output>
${base === null ? '' : CHOICES}
<button type="button" class="flame-reset" disabled>Whole graph</button>
<span class="flame-help">Click or Enter: zoom · arrows: walk · Esc: back · /: search</span>
</div>
${base === null ? '' : LEGEND}
<div class="flame-frames" role="group" aria-label="Frames: the outermost at the bottom, as wide as their share"></div>
<p class="flame-readout" aria-live="polite">&nbsp;</p>
<script type="text/plain" class="flame-data">${packFrames(stacks, base)}</script>
${functionsTable(stacks, base)}
</section>`;
}

const CHOICES = `<label>Widths <select class="flame-widths"><option value="now">of the run</option><option value="base">of the base</option></select></label>
<label>Colours <select class="flame-colours"><option value="change">change</option><option value="kind">kernel or not</option></select></label>`;
const LEGEND =
  '<p class="flame-legend"><span class="flame-swatch less">smaller share</span><span class="flame-swatch same">same</span><span class="flame-swatch more">larger share than in the base</span></p>';

/** The script that draws all flame graphs of a page. */
export function flameScript(): string {
  return bundleScript(new URL('../browser/main.js', import.meta.url));
}
