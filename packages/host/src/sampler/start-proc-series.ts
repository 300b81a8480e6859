import type { HalfSample } from './interval-joiner.ts';
import { ioSamplesBetween, readDisks, readPageKb, readVm, vmSampleBetween } from './proc-series.ts';
import type { RunningSeries, SeriesOptions } from './series.ts';

/** Starts a series that we read from /proc ourselves. Throws where there is no /proc. */
export function startProcSeries(options: SeriesOptions): RunningSeries {
  const next = options.kind === 'vm' ? vmIntervals() : ioIntervals(options.devices);
  const beganNs = process.hrtime.bigint();
  options.onBegin(beganNs);
  let lastNs = beganNs;
  let count = 0;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    count += 1;
    // Counted from the beginning, so that late timers do not add up.
    const dueMs = Number(beganNs) / 1e6 + count * options.intervalS * 1000;
    timer = setTimeout(tick, dueMs - Number(process.hrtime.bigint()) / 1e6);
  };
  const tick = (): void => {
    const nowNs = process.hrtime.bigint();
    try {
      options.onInterval(next(Number(nowNs - lastNs) / 1e9), nowNs);
    } catch (error) {
      // Thrown out of a timer it would end the whole run.
      const why = error instanceof Error ? error.message : String(error);
      options.onWarning(`The samples from /proc end during the step: ${why}`);
      return;
    }
    lastNs = nowNs;
    wait();
  };
  wait();
  return {
    pid: null,
    stop: async () => clearTimeout(timer),
  };
}

/** Reads now, and then at each call what was between it and the last one, so many seconds before. */
function vmIntervals(): (seconds: number) => HalfSample {
  const pageKb = readPageKb();
  let before = readVm();
  return (seconds) => {
    const after = readVm();
    const vm = vmSampleBetween(before, after, { seconds, pageKb });
    before = after;
    return { kind: 'vm', vm };
  };
}

function ioIntervals(devices: readonly string[]): (seconds: number) => HalfSample {
  let before = readDisks();
  return (seconds) => {
    const after = readDisks();
    const io = ioSamplesBetween(before, after, { seconds, devices });
    before = after;
    return { kind: 'io', io };
  };
}
