import type { ReadFiles } from './files.ts';
import type { HalfSample } from './interval-joiner.ts';
import { parseDiskStats } from './proc-diskstats.ts';
import {
  ioSamplesBetween,
  PAGE_FILE,
  parsePageKb,
  parseVm,
  VM_FILES,
  vmSampleBetween,
} from './proc-series.ts';
import type { RunningSeries, SeriesOptions } from './series.ts';

/** What was between the last call and this one, so many seconds apart. */
type NextInterval = (seconds: number) => Promise<HalfSample>;

/** Starts a series that we read from /proc ourselves. Rejects where there is no /proc. */
export async function startProcSeries(options: SeriesOptions): Promise<RunningSeries> {
  const { readFiles } = options.place;
  const next = await (options.kind === 'vm'
    ? vmIntervals(readFiles)
    : ioIntervals(readFiles, options.devices));
  const beganNs = process.hrtime.bigint();
  options.onBegin(beganNs);
  let lastNs = beganNs;
  let count = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    count += 1;
    // Counted from the beginning, so that late timers do not add up.
    const dueMs = Number(beganNs) / 1e6 + count * options.intervalS * 1000;
    timer = setTimeout(() => void tick(), dueMs - Number(process.hrtime.bigint()) / 1e6);
  };
  const tick = async (): Promise<void> => {
    const nowNs = process.hrtime.bigint();
    try {
      const half = await next(Number(nowNs - lastNs) / 1e9);
      if (isStopped) return;
      options.onInterval(half, nowNs);
    } catch (error) {
      // Thrown out of a timer it would end the whole run.
      const why = error instanceof Error ? error.message : String(error);
      if (!isStopped) options.onWarning(`The samples from /proc end during the step: ${why}`);
      return;
    }
    lastNs = nowNs;
    wait();
  };
  wait();
  return {
    pid: null,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function vmIntervals(readFiles: ReadFiles): Promise<NextInterval> {
  const [page] = await readFiles([PAGE_FILE]);
  const pageKb = parsePageKb(page ?? '');
  let before = parseVm(await readFiles(VM_FILES));
  return async (seconds) => {
    const after = parseVm(await readFiles(VM_FILES));
    const vm = vmSampleBetween(before, after, { seconds, pageKb });
    before = after;
    return { kind: 'vm', vm };
  };
}

async function ioIntervals(
  readFiles: ReadFiles,
  devices: readonly string[],
): Promise<NextInterval> {
  const read = async () => parseDiskStats((await readFiles(['/proc/diskstats']))[0] ?? '');
  let before = await read();
  return async (seconds) => {
    const after = await read();
    const io = ioSamplesBetween(before, after, { seconds, devices });
    before = after;
    return { kind: 'io', io };
  };
}
