import { escapeHtml } from './escape.ts';
import { flameGraph, flameScript } from './flame-graph.ts';
import { FLAME_NOTE, type FlameGraph } from './graph-of.ts';
import { FLAME_CSS } from './styles.ts';

/** A page with one flame graph or more. */
export interface FlamePage {
  readonly title: string;
  readonly graphs: readonly FlameGraph[];
}

/** Enforces what the page promises: nothing is loaded from anywhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

const PAGE_CSS = `
:root { color-scheme: light dark; }
body { margin: 1.2em auto; padding: 0 1.2em; max-width: 1800px; font: 14px/1.45 system-ui, sans-serif;
  color: light-dark(#1a1a1a, #e8e8e8); background: light-dark(#fff, #16181c); }
h2 { margin: 1.6em 0 .3em; font-size: 1.3em; overflow-wrap: anywhere; }
`;

/** Flame graphs as one HTML file that needs nothing else. */
export function flamePage({ title, graphs }: FlamePage): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${PAGE_CSS}${FLAME_CSS}</style>
</head>
<body>
<main>
<p class="flame-note">${FLAME_NOTE}</p>
${graphs.map(withHeading).join('\n')}
</main>
<script>${flameScript()}</script>
</body>
</html>
`;
}

function withHeading(graph: FlameGraph): string {
  return `<h2>${escapeHtml(graph.title)}</h2>\n${flameGraph(graph)}`;
}
