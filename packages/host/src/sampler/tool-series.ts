import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HalfSample } from './interval-joiner.ts';
import { IostatReader } from './parse-iostat.ts';
import { VmstatReader } from './parse-vmstat.ts';
import type { RunningSeries, SeriesOptions } from './series.ts';
import { startTool } from './tool.ts';

/**
 * Starts vmstat or iostat and returns when its averages since boot came, which is when its first interval begins; or
 * returns, in words, why no series comes from it.
 */
export async function startToolSeries(options: SeriesOptions): Promise<RunningSeries | string> {
  const source = options.kind === 'vm' ? vmstatSource(options) : iostatSource(options);
  let isStopped = false;
  let begin: (word: typeof BEGUN) => void = () => undefined;
  const begun = new Promise<typeof BEGUN>((resolve) => {
    begin = resolve;
  });
  const tool = await startTool({
    name: source.command,
    command: options.place.command(source.command, source.args),
    rawFile: join(options.directory, `${source.command}.txt`),
    path: options.path,
    onWarning: options.onWarning,
    onLine: (line, atNs) => {
      const report = isStopped ? null : source.read(line);
      if (report === null) return;
      if (!report.sinceBoot) return options.onInterval(report.half, atNs);
      options.onBegin(atNs);
      begin(BEGUN);
    },
  });
  if (typeof tool === 'string') return tool;

  const late = sleep(FIRST_REPORT_MS, `it printed no report within ${FIRST_REPORT_MS} ms`, {
    ref: false,
  });
  const outcome = await Promise.race([begun, tool.ended, late]);
  if (outcome !== BEGUN) {
    isStopped = true;
    await tool.stop();
    return outcome;
  }
  const warned = tool.ended.then((how) => {
    if (isStopped) return;
    options.onWarning(
      `${source.command} stopped while it was needed (${how}): its samples end there`,
    );
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    await tool.stop();
    await warned;
    const damaged = source.damagedRows();
    if (damaged > 0) options.onWarning(`${damaged} rows of ${source.command} could not be read`);
  };
  return { pid: tool.pid, stop };
}

const BEGUN = Symbol('begun');
const FIRST_REPORT_MS = 10_000;

/** One of the tools: how it is called and what its lines say. */
interface Source {
  readonly command: 'vmstat' | 'iostat';
  readonly args: readonly string[];
  read(line: string): { readonly sinceBoot: boolean; readonly half: HalfSample } | null;
  damagedRows(): number;
}

function vmstatSource({ intervalS }: SeriesOptions): Source {
  const reader = new VmstatReader();
  return {
    command: 'vmstat',
    args: ['-n', String(intervalS)],
    read: (line) => {
      const row = reader.push(line);
      if (row === null) return null;
      return { sinceBoot: row.sinceBoot, half: { kind: 'vm', vm: row.sample } };
    },
    damagedRows: () => reader.damagedRows,
  };
}

function iostatSource({ intervalS, devices }: SeriesOptions): Source {
  const reader = new IostatReader();
  let damagedRows = 0;
  return {
    command: 'iostat',
    args: ['-kx', String(intervalS)],
    read: (line) => {
      const report = reader.push(line);
      if (report === null) return null;
      damagedRows += report.damagedRows;
      const io = report.devices.filter((row) => devices.includes(row.device));
      return { sinceBoot: report.sinceBoot, half: { kind: 'io', io } };
    },
    damagedRows: () => damagedRows,
  };
}
