/** Style sheet of the page; the colours are those of `chartCss('auto')`. */
export const PAGE_CSS = `
*{box-sizing:border-box}
html{scroll-padding-top:64px}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;overflow-wrap:break-word}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
header,main,.controls{padding-inline:max(16px,calc((100vw - 1360px)/2))}
header{padding-top:20px}
h1{font-size:24px;line-height:1.25;margin:0 0 2px}
h2{font-size:20px;margin:44px 0 8px;padding-bottom:4px;border-bottom:1px solid var(--grid)}
h3{font-size:16px;margin:28px 0 6px}
h4{font-size:13px;margin:16px 0 0}
p{margin:6px 0}
.about,.note,.footnotes,.glossary,figcaption .anchor{color:var(--quiet)}
.note,.footnotes,.glossary{font-size:12.5px}
a{color:var(--c1)}
a.anchor{margin-left:6px;text-decoration:none;opacity:0;font-weight:400}
:is(h2,h3,h4,figcaption):hover>a.anchor,a.anchor:focus{opacity:1}
nav{display:flex;flex-wrap:wrap;gap:2px 14px;margin:6px 0;font-size:13.5px}
.strip{display:flex;flex-wrap:wrap;gap:4px 8px;font-size:12.5px;align-items:baseline}
.strip span{border:1px solid var(--grid);border-radius:10px;padding:0 8px}
.strip b{min-width:6.5em}
/* What is far away is not laid out. */
.page.step{content-visibility:auto;contain-intrinsic-size:auto 5000px}
:is(#verdict,#caveats) ul.strip-list{list-style:none;margin:8px 0;padding:8px 14px;border-left:4px solid var(--c1);background:color-mix(in srgb,var(--c1) 7%,transparent)}
#caveats ul.strip-list{border-color:var(--c4);background:color-mix(in srgb,var(--c4) 8%,transparent)}
.strip-list li{margin:2px 0}
.strip-list a{color:inherit;text-decoration:none}.strip-list a:hover{text-decoration:underline}
.invalid{border-left:4px solid var(--c4);padding-left:10px;font-weight:600}
.controls{position:sticky;top:0;z-index:5;background:var(--ground);border-block:1px solid var(--grid);padding-block:6px;display:flex;flex-wrap:wrap;gap:6px 10px;align-items:center;font-size:13px}
.controls .rows{display:flex;flex-wrap:wrap;gap:2px 14px;flex:1 1 320px;max-height:84px;overflow:auto}
.controls label{display:inline-flex;align-items:center;gap:4px;cursor:pointer}
.controls .mark svg{display:block;background:none}
button{font:inherit;color:inherit;background:none;border:1px solid var(--quiet);border-radius:5px;padding:1px 9px;cursor:pointer}
button:disabled{opacity:.4;cursor:default}
button[aria-pressed=true]{background:var(--c1);border-color:var(--c1);color:var(--ground)}
:focus-visible{outline:2px solid var(--c4);outline-offset:2px}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;margin:4px 0}
th,td{padding:3px 9px;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
thead th{color:var(--quiet);font-weight:600;white-space:nowrap;vertical-align:bottom}
th[title]{text-decoration:underline dotted;text-underline-offset:3px;cursor:help}
th[scope=row]{font-weight:600}
.name{display:block;width:max-content;max-width:34ch;overflow-wrap:anywhere}
td:not(.num){min-width:6ch}.t-warnings td:last-child,.t-comparability td:last-child{min-width:32ch}.t-settings td:nth-child(2){white-space:nowrap}.t-settings td:nth-child(n+5){min-width:16ch;max-width:64ch;overflow-wrap:anywhere}
.num{text-align:right;white-space:nowrap}
tr.block>*{border-top:1px solid var(--quiet)}
tbody tr:hover{background:color-mix(in srgb,var(--ink) 5%,transparent)}
td.absent{color:var(--quiet)}
td.good{color:var(--c1);font-weight:600}td.bad{color:var(--c4);font-weight:600}
td.missed-sla{color:var(--quiet);text-decoration:line-through;background:color-mix(in srgb,var(--quiet) 14%,transparent)}
td.invalid{color:var(--quiet);text-decoration:line-through}th.invalid{color:var(--quiet)}
td.shaded{background:color-mix(in srgb,var(--quiet) calc(var(--shade)*55%),transparent)}
td.shaded.good{color:inherit;background:color-mix(in srgb,var(--c1) calc(var(--shade)*45%),transparent)}
td.shaded.bad{color:inherit;background:color-mix(in srgb,var(--c2) calc(var(--shade)*55%),transparent)}
td.shaded.by-size{background-image:repeating-linear-gradient(135deg,transparent 0 5px,var(--ground) 5px 8px)}
/* A heading stays with its column. */
table:has(tbody th:first-child) thead th:first-child,tbody th:first-child{position:sticky;left:0;z-index:1;background:var(--ground)}
.footnotes{margin:4px 0;padding-left:18px}
.glossary dl{display:grid;grid-template-columns:max-content 1fr;gap:0 12px;margin:4px 0}
.glossary dt{font-weight:600}.glossary dd{margin:0}
summary{cursor:pointer}
:is(#environment,#caveats) details:not(td>*),.flames{margin:4px 0;border:1px solid var(--grid);border-radius:5px;padding:4px 10px}
.facts td{max-width:90ch}
pre{overflow:auto;font-size:12px;white-space:pre-wrap}
.command{user-select:all;margin:4px 0;padding:6px 9px;border:1px solid var(--grid);border-radius:5px;overflow-wrap:anywhere}
.pairs{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,580px),1fr));gap:6px 24px}
figure{margin:8px 0;min-width:0}
figcaption{font-size:13px;font-weight:600;padding-left:10px}
.plot-box{touch-action:pan-y;position:relative}
.plot-box .chart{display:block;max-width:100%;height:auto;background:none}
.plot-box[data-zoom]{cursor:crosshair}
.described{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
figure{position:relative}
.brush{position:absolute;top:0;bottom:0;background:color-mix(in srgb,var(--c1) 22%,transparent);pointer-events:none}
.spark-box{display:block;width:clamp(70px,6vw,120px);height:30px}
.spark-box .chart{background:none;width:100%;height:100%}
#readout{position:fixed;right:14px;bottom:10px;margin:0;max-width:min(440px,calc(100vw - 28px));max-height:60vh;overflow:hidden;background:var(--ground);border:1px solid var(--quiet);border-radius:6px;padding:6px 10px;font-size:12.5px;font-variant-numeric:tabular-nums;white-space:pre-line;z-index:9;pointer-events:none}
@media (max-width:640px){body{font-size:14px}h1{font-size:19px}.controls{position:static}html{scroll-padding-top:8px}.glossary dl{grid-template-columns:1fr}th,td{padding:3px 6px}:is(thead,tbody) th:first-child{position:static!important}.name{max-width:16ch}}
@media print{
  #caveats details::details-content{content-visibility:visible;display:block}
  .controls,#readout,a.anchor,nav{display:none!important}
  body{font-size:10pt}
  header,main{padding-inline:0}
  .scroll{overflow:visible}
  table{font-size:7pt;max-width:100%}th,td{padding:1.5pt 3pt;position:static!important;min-width:0!important}
  /* A name may break within a word, a heading only between words. */
  thead th{white-space:normal;overflow-wrap:normal}.num{white-space:normal}
  .name{width:auto;min-width:9ch;max-width:30ch}
  /* As many columns as the metrics have need all the room that there is. */
  tr:has(>:nth-child(18)){font-size:6.2pt}tr:has(>:nth-child(18))>*{padding-inline:2pt!important}
  figure,tr,.table h4{break-inside:avoid}h2,h3,h4,figcaption{break-after:avoid}
  .pairs{grid-template-columns:repeat(2,minmax(0,1fr))}.pairs figure:only-child{grid-column:1/-1}
  *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
  @page{size:A4 landscape;margin:11mm}
}
`;
