import type { SamplerPlace } from './files.ts';
import type { HalfSample } from './interval-joiner.ts';

/** What one series, of vmstat's or of iostat's columns, is started with. */
export interface SeriesOptions {
  readonly kind: HalfSample['kind'];
  readonly directory: string;
  readonly intervalS: number;
  readonly devices: readonly string[];
  readonly path: string | undefined;
  readonly place: SamplerPlace;
  /** The first interval begins now. */
  onBegin(atNs: bigint): void;
  /** An interval ended now. */
  onInterval(half: HalfSample, atNs: bigint): void;
  onWarning(text: string): void;
}

/** A series that is running. */
export interface RunningSeries {
  /** null: it has no process of its own. */
  readonly pid: number | null;
  stop(): Promise<void>;
}
