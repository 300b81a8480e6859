import type { OsSample } from '@ibench/core';
import { LOCAL_PLACE, type SamplerPlace } from './files.ts';
import { IntervalJoiner } from './interval-joiner.ts';
import type { RunningSeries, SeriesOptions } from './series.ts';
import { startProcSeries } from './start-proc-series.ts';
import { startToolSeries } from './tool-series.ts';

/** How to sample a step. */
export interface SamplerOptions {
  /** Folder that gets the raw text: `vmstat.txt` and `iostat.txt`. */
  readonly directory: string;
  /** Whole seconds between samples. */
  readonly intervalS: number;
  /** Devices whose rows a sample has, by kernel name. The raw text has all. */
  readonly devices: readonly string[];
  /** Folders to look for vmstat and iostat in, as PATH. Default: ours. */
  readonly path?: string;
  /** The host that is sampled. Default: this one. */
  readonly place?: SamplerPlace;
  /** Start of the step that is running, from process.hrtime.bigint(); null: not started yet, or over. */
  stepStartNs(): bigint | null;
  /** Called for each interval that lies inside the step, in order. */
  onSample(sample: OsSample): void;
  /** Called with what makes the series worth less, in words. */
  onWarning(text: string): void;
}

/** A sampler that is running. */
export interface Sampler {
  /** The processes of vmstat and iostat; none where the series comes from /proc. */
  readonly pids: readonly number[];
  /** Ends them and returns when they are gone and their text is on disk; the last sample comes before it returns. */
  stop(): Promise<void>;
}

/**
 * Starts vmstat and iostat and returns when both have printed their averages since boot, which is when their first
 * interval begins. Where one is missing or prints no report, its half of the samples comes from /proc at the same
 * interval; where there is no /proc either, that half is absent. onWarning tells both. Never rejects: a step without
 * a series still has the exact counters.
 */
export async function startSampler(options: SamplerOptions): Promise<Sampler> {
  const joiner = new IntervalJoiner(options);
  const series = await Promise.all([
    startSeries(seriesOptions('vm', options, joiner)),
    startSeries(seriesOptions('io', options, joiner)),
  ]);
  return {
    pids: series.map((one) => one.pid).filter((pid) => pid !== null),
    stop: async () => {
      await Promise.all(series.map((one) => one.stop()));
      joiner.flush();
    },
  };
}

function seriesOptions(
  kind: SeriesOptions['kind'],
  options: SamplerOptions,
  joiner: IntervalJoiner,
): SeriesOptions {
  return {
    kind,
    directory: options.directory,
    intervalS: options.intervalS,
    devices: options.devices,
    path: options.path,
    place: options.place ?? LOCAL_PLACE,
    onBegin: (atNs) => joiner.begin(kind, atNs),
    onInterval: (half, atNs) => joiner.add(half, atNs),
    onWarning: (text) => options.onWarning(text),
  };
}

async function startSeries(options: SeriesOptions): Promise<RunningSeries> {
  const started = await startToolSeries(options);
  if (typeof started !== 'string') return started;
  const { tool, files } = SOURCES[options.kind];
  try {
    const series = await startProcSeries(options);
    options.onWarning(`${tool} cannot be used (${started}): its samples come from ${files}`);
    return series;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    options.onWarning(
      `${tool} cannot be used (${started}) and neither can ${files} (${why}): no samples`,
    );
    return { pid: null, stop: async () => undefined };
  }
}

const SOURCES = {
  vm: { tool: 'vmstat', files: '/proc/stat, /proc/vmstat and /proc/meminfo' },
  io: { tool: 'iostat', files: '/proc/diskstats' },
} as const;
