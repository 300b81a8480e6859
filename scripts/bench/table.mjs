/** The whole result as text: machine, the comparison, the insert methods, notes. */
export function renderResult(result) {
  const python = result.rows.some((row) => row.python !== undefined);
  return [
    machineLines(result),
    renderTable(
      header(python),
      result.rows.map((row, i) => cells(row, i + 1, python)),
    ),
    notes(result.rows),
    ...(result.methods.length === 0 ? [] : [methodsTable(result)]),
  ].join('\n\n');
}

function machineLines({
  machine,
  server,
  settings,
  programs,
  short,
  rounds,
  seconds,
  stealPercent,
}) {
  const memory = `${Math.round(machine.memoryBytes / 1024 ** 3)} GB`;
  return [
    `${machine.cpu}, ${machine.cores} cores, ${memory}, Linux ${machine.kernel}, Node ${machine.node}; load average ${machine.loadBefore.toFixed(1)} before`,
    `PostgreSQL ${server}, table of 500,000 rows with three indexes, cached; base.conf with ${settings.join(', ')}`,
    `${programs.pgbench ?? 'pgbench: not on PATH'}; ${programs.psql ?? 'psql: not on PATH'}`,
    `${rounds} interleaved round${rounds === 1 ? '' : 's'} of ${seconds.slice} s, ibench after ${seconds.warmup} s to warm up${short ? ' (short: too little to judge by)' : ''}; steal ${stealPercent.toFixed(1)}% of the machine during the measurement`,
  ].join('\n');
}

function header(python) {
  const peers = ['peer', ...(python ? ['python'] : [])];
  return [
    '',
    'what',
    'ibench',
    'min … max',
    ...peers,
    'ratio',
    'min … max',
    'target',
    'met',
    'steal',
    'against',
  ];
}

function cells(row, number, python) {
  const { unit, ratio, spread, peer, target } = row;
  const withUnit = (value) => (unit === '1/s' ? figure(value) : `${figure(value)} ${unit}`);
  return [
    String(number),
    row.what,
    row.ibench === null ? '–' : withUnit(row.ibench),
    spread === null ? '' : range(spread, figure),
    peer === null ? '' : peer.value === null ? 'missing' : withUnit(peer.value),
    ...(python ? [pythonCell(row)] : []),
    ratio === null ? '' : ratio.median.toFixed(2),
    ratio === null ? '' : range(ratio, (value) => value.toFixed(2)),
    target === null ? '' : targetText(target, unit),
    row.met === null ? '–' : row.met ? 'yes' : 'NO',
    `${row.stealPercent.toFixed(0)}%`,
    peer?.name ?? '',
  ];
}

function pythonCell({ python, ibench }) {
  if (python === undefined) return '';
  if (python.value === null) return 'missing';
  return `${figure(python.value)} (${(ibench / python.value).toFixed(2)})`;
}

function range({ min, max }, format) {
  return min === max ? '' : `${format(min)} … ${format(max)}`;
}

function targetText({ of, atLeast, atMost }, unit) {
  const sign = atLeast === undefined ? '≤' : '≥';
  const value = atLeast ?? atMost;
  return of === 'ratio' ? `${sign} ${value} ×` : `${sign} ${value} ${unit}`;
}

/** What rows' numbers mean, and why some are missing, below the table; each text once. */
function notes(rows) {
  const numbers = new Map();
  rows.forEach(({ note, peer, python }, i) => {
    const pythonNote = python?.missing && `the Python client: ${python.missing}`;
    for (const text of [note, peer?.missing, pythonNote].filter(Boolean)) {
      numbers.set(text, [...(numbers.get(text) ?? []), i + 1]);
    }
  });
  return [...numbers].map(([text, of]) => `${of.join(', ')}: ${text}`).join('\n');
}

function methodsTable({ methods }) {
  const body = methods.map(({ method, rowsPerSecond, cpuUsPerRow }) => [
    method,
    figure(rowsPerSecond.median),
    range(rowsPerSecond, figure),
    `${figure(cpuUsPerRow.median)} µs`,
    range(cpuUsPerRow, figure),
  ]);
  const title =
    'Insert methods, l.i0, 100 rows at a time; client CPU is that of inserter and pacer';
  const head = ['method', 'rows/s', 'min … max', 'client CPU per row', 'min … max'];
  return `${title}\n${renderTable(head, body)}`;
}

/** Markdown that can also be read in a terminal. */
function renderTable(head, body) {
  const widths = head.map((_, i) => Math.max(...[head, ...body].map((line) => line[i].length)));
  const line = (texts) => `| ${texts.map((text, i) => text.padEnd(widths[i])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** Three or four digits that matter. */
function figure(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3);
}
