import fs from 'node:fs';
import {
  type CallGraph,
  type FoldedStacks,
  RunError,
  SCRIPT_FIELDS,
  ScriptFolder,
} from '@ibench/core';
import { type PerfEnd, runPerf } from './perf-process.ts';

/** What to record. */
export interface RecordOptions {
  readonly pids: readonly number[];
  readonly callGraph: CallGraph;
  readonly frequencyHz: number;
  /** Longest time, seconds. perf ends by itself then, also when we are gone. */
  readonly seconds: number;
  /** File for perf's data. */
  readonly file: string;
}

/** A window that was recorded; the data is in the file. */
export interface Recording {
  /** CLOCK_MONOTONIC, ns. */
  readonly fromNs: number;
  readonly toNs: number;
}

/** Copied of the stack with each sample, bytes: Postgres keeps buffers of 8 kB on it, where new WAL is zeroed say. */
const STACK_BYTES = 16_384;
/** perf stops writing there, whatever it was asked for. */
const LARGEST_FILE = '512M';

/**
 * Samples the stacks of processes while they are on a CPU, with the event that perf takes by itself: cycles,
 * or cpu-clock where the machine has no hardware counters.
 *
 * @param over ends the window early; what was recorded until then counts
 * @throws RunError when perf does not record, with what it said
 */
export async function recordStacks(options: RecordOptions, over?: AbortSignal): Promise<Recording> {
  const { pids, callGraph, frequencyHz, seconds, file } = options;
  const graph = callGraph === 'dwarf' ? `dwarf,${STACK_BYTES}` : 'fp';
  const startNs = Number(process.hrtime.bigint());
  let overNs: number | null = null;
  const noteEnd = (): void => {
    overNs = Number(process.hrtime.bigint());
  };
  over?.addEventListener('abort', noteEnd);
  const end = await runPerf({
    args: [
      ...['record', '--call-graph', graph, '--freq', String(frequencyHz), '--no-inherit'],
      // Its cache of binaries would be in the user's home.
      ...['--no-buildid', '--no-buildid-cache', '--max-size', LARGEST_FILE, '--output', file],
      ...['--pid', pids.join(','), '--', 'sleep', String(seconds)],
    ],
    signal: over,
  });
  over?.removeEventListener('abort', noteEnd);
  const toNs = overNs ?? Number(process.hrtime.bigint());
  if (!hasData(file)) throw new RunError(`perf recorded nothing: ${reason(end)}`);
  return { fromNs: Math.max(startNs, toNs - seconds * 1e9), toNs };
}

/** The exit code tells little: it is that of the signal when a window is ended early. */
function hasData(file: string): boolean {
  return fs.existsSync(file) && fs.statSync(file).size > 0;
}

/** Lines of perf's within which its first sentence ends. */
const LINES = 3;

/** What perf said, in one line: the error without warnings before, advice of many lines behind, and progress. */
export function reason({ isMissing, exitCode, said }: PerfEnd): string {
  if (isMissing) return 'it is not installed';
  const all = said.split('\n').filter((line) => /\w/.test(line) && !line.startsWith('[ perf'));
  const begin = all.indexOf('Error:') + 1;
  const lines = all.slice(begin, begin + LINES);
  const last = lines.findIndex((line) => line.endsWith('.'));
  const sentence = last < 0 ? lines : lines.slice(0, last + 1);
  return sentence.join(' ').trim() || `it ended with exit code ${exitCode}`;
}

/** What was recorded, folded. */
export interface FoldedRecording {
  /** Events that were sampled, as perf names them. */
  readonly event: string;
  readonly byPid: ReadonlyMap<number, FoldedStacks>;
  /** Faults that leave the profile incomplete. */
  readonly warnings: readonly string[];
}

/**
 * Folds perf's data. Frames that the compiler inlined are not told apart: to look them up takes minutes.
 *
 * @throws RunError when perf cannot read what it wrote
 */
export async function foldRecording(file: string, signal?: AbortSignal): Promise<FoldedRecording> {
  const events: string[] = [];
  const listed = await runPerf({
    args: ['evlist', '--input', file],
    onLine: (line) => events.push(line.trim()),
  });
  const folder = new ScriptFolder();
  const end = await runPerf({
    args: ['script', '--no-inline', '--fields', SCRIPT_FIELDS, '--input', file],
    onLine: (line) => folder.push(line),
    signal,
  });
  signal?.throwIfAborted();
  for (const one of [listed, end]) {
    if (one.exitCode !== 0) throw new RunError(`perf cannot read its data: ${reason(one)}`);
  }
  const lost = /lost \d+ \w+/i.exec(end.said)?.[0];
  return {
    event: events.flatMap((line) => eventName(line) ?? []).join(', '),
    byPid: folder.end(),
    warnings: lost === undefined ? [] : [`the profile is incomplete: perf ${lost}`],
  };
}

/** `cpu-clock:uppp` → `cpu-clock:u`: how precise addresses are makes no difference to functions. */
function eventName(line: string): string | null {
  if (line === '' || line.startsWith('#') || line.startsWith('dummy')) return null;
  const [name, modifiers = ''] = line.split(/:(?=[a-zA-Z]+$)/);
  const kept = modifiers.replace(/[pP]/g, '');
  return kept === '' ? (name as string) : `${name}:${kept}`;
}
