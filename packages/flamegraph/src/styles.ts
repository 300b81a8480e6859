/** Styles of flame graphs; they follow the page's `color-scheme`. */
export const FLAME_CSS = `
.flame { --frame: light-dark(#f2b279, #7a4a24); --kernel: light-dark(#a9bfe8, #35496f); --unknown: light-dark(#d5d5d5, #4a4a4a);
  --more: 220 38 38; --less: 37 99 235; --same: light-dark(#e6e6e6, #3c3c3c); --edge: light-dark(#fff, #16181c); --mark: light-dark(#d81b9a, #ff5fc4); }
.flame-note { margin: .15em 0; font-size: .9em; color: light-dark(#555, #aaa); }
.flame-bar { display: flex; flex-wrap: wrap; gap: .4em 1em; align-items: center; margin: .8em 0 .5em; }
.flame-search { width: 17em; max-width: 100%; font: inherit; }
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
.flame-swatch { display: inline-block; padding: 0 .6em; margin-right: .4em; border-radius: 3px; background: var(--same); }
.flame-swatch.more { background: color-mix(in oklab, var(--same), rgb(var(--more)) 60%); }
.flame-swatch.less { background: color-mix(in oklab, var(--same), rgb(var(--less)) 60%); }
.flame-scroll { overflow-x: auto; margin-top: 1em; }
.flame-functions { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.flame-functions caption { text-align: left; font-weight: 600; padding-bottom: .3em; }
.flame-functions th, .flame-functions td { padding: .12em .8em; text-align: right; white-space: nowrap; border-bottom: 1px solid light-dark(#e3e3e3, #333); }
.flame-functions th:first-child { min-width: 18ch; text-align: left; white-space: normal; font-weight: normal; padding-left: 0; }
.flame-functions button { all: unset; cursor: pointer; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }
.flame-functions button:hover { text-decoration: underline; }
.flame-functions button:focus-visible { outline: 2px solid; }
@media print {
  .flame { color-scheme: light; }
  .flame-bar, .flame-readout { display: none; }
  .flame-frames, .flame-swatch { break-inside: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
