/** What one line of `iostat -o JSON` says; cells are by column name, as text. */
export type IostatJsonLine =
  | { readonly kind: 'timestamp'; readonly text: string }
  | { readonly kind: 'cpu'; readonly cells: readonly [string, string][] }
  | { readonly kind: 'disks' }
  | { readonly kind: 'disk'; readonly device: string; readonly cells: readonly [string, string][] }
  | { readonly kind: 'damaged' };

/**
 * Reads one line of iostat's JSON output; null: the line belongs to no report. iostat prints one CPU block and one
 * device per line, so that a document whose end is missing (iostat was killed) is readable too.
 */
export function readIostatJson(line: string): IostatJsonLine | null {
  const text = line.trim().replace(/,$/, '');
  if (/^"disk":\s*\[/.test(text)) return { kind: 'disks' };
  const stamp = /^"timestamp":\s*"(.*)"$/.exec(text);
  if (stamp?.[1] !== undefined) return { kind: 'timestamp', text: stamp[1] };
  const cpu = /^"avg-cpu":\s*(\{.*)$/.exec(text);
  if (cpu?.[1] !== undefined) {
    const cells = readCells(cpu[1]);
    return cells === null ? { kind: 'damaged' } : { kind: 'cpu', cells };
  }
  if (!/^\{"disk_device":/.test(text)) return null;
  const cells = readCells(text);
  const [first, ...rest] = cells ?? [];
  return first === undefined
    ? { kind: 'damaged' }
    : { kind: 'disk', device: first[1], cells: rest };
}

function readCells(text: string): [string, string][] | null {
  try {
    const value: Record<string, unknown> = JSON.parse(text);
    return Object.entries(value).map(([name, cell]) => [name, String(cell)]);
  } catch {
    return null;
  }
}
