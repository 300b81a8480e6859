import fs from 'node:fs';
import {
  type CallGraph,
  cutAt,
  type FoldedStacks,
  type ProfileWindow,
  RunError,
  SCRIPT_FIELDS,
  ScriptFolder,
} from '@ibench/core';
import { FINISH_MS, type PerfEnd, runPerf } from './perf-process.ts';

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
export interface Recording extends ProfileWindow {
  /** Why perf ended before its window did: it recorded until its last sample. null: it did not. */
  readonly cutBy: string | null;
}

/** Copied of the stack with each sample, bytes: Postgres keeps buffers of 8 kB on it, where new WAL is zeroed say. */
const STACK_BYTES = 16_384;
/** perf stops writing there, whatever it was asked for. */
const LARGEST_FILE = '512M';
const LARGEST_REACHED = /size limit reached/;

/** Sample times in the clock that the window is in. */
export const CLOCK = ['--timestamp', '--clockid', 'CLOCK_MONOTONIC'] as const;

/** perf starts its workload when it records already, and records until that has ended. */
const BEGUN = 'begun';
const workload = (seconds: number): string => `echo ${BEGUN}; read go && exec sleep ${seconds}`;

/**
 * Samples the stacks of processes while they are on a CPU, with the event that perf takes by itself: cycles,
 * or cpu-clock where the machine has no hardware counters.
 *
 * The window begins between two words with perf's workload, which sleeps after the second: so perf records in all of
 * it, however late it starts or ends.
 *
 * @param over ends the window early; what was recorded until then counts
 * @returns null: it was over before perf recorded
 * @throws RunError when perf does not record, with what it said
 */
export async function recordStacks(
  options: RecordOptions,
  over: AbortSignal,
): Promise<Recording | null> {
  const { pids, callGraph, frequencyHz, seconds, file } = options;
  const graph = callGraph === 'dwarf' ? `dwarf,${STACK_BYTES}` : 'fp';
  let begunNs = NEVER;
  let overNs = NEVER;
  const noteEnd = (): void => {
    overNs = Number(process.hrtime.bigint());
  };
  over.addEventListener('abort', noteEnd);
  const end = await runPerf({
    args: [
      ...['record', '--pid', pids.join(','), '--no-inherit', ...CLOCK],
      ...['--call-graph', graph, '--freq', String(frequencyHz)],
      // Its cache of binaries would be in the user's home.
      ...['--no-buildid', '--no-buildid-cache', '--max-size', LARGEST_FILE, '--output', file],
      ...['--', 'sh', '-c', workload(seconds)],
    ],
    signal: over,
    onLine: (line, answer) => {
      if (line !== BEGUN) return;
      begunNs = Number(process.hrtime.bigint());
      answer('go\n');
    },
  });
  over.removeEventListener('abort', noteEnd);
  const window = cutAt({ fromNs: begunNs, toNs: begunNs + seconds * 1e9 }, overNs);
  if (window === null && over.aborted) return null;
  if (window === null || !hasData(file)) {
    throw new RunError(`perf recorded nothing: ${reason(end)}`);
  }
  return { ...window, cutBy: whyCut(end, over.aborted) };
}

const NEVER = Number.POSITIVE_INFINITY;

/** The exit code is the workload's: it was ended where perf ended by itself. */
function whyCut(end: PerfEnd, isOver: boolean): string | null {
  if (LARGEST_REACHED.test(end.said)) return `perf's data reached ${LARGEST_FILE}`;
  if (end.isKilled) return `perf did not finish within ${FINISH_MS / 1000} s`;
  return isOver || end.exitCode === 0 ? null : `perf ended early (${reason(end)})`;
}

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
  const how = exitCode === null ? 'a signal ended it' : `it ended with exit code ${exitCode}`;
  return sentence.join(' ').trim() || how;
}

/** What was recorded, folded. */
export interface FoldedRecording {
  /** The window that the samples are from. */
  readonly window: ProfileWindow;
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
export async function foldRecording(
  file: string,
  recording: Recording,
  signal: AbortSignal,
): Promise<FoldedRecording> {
  const events: string[] = [];
  const listed = await runPerf({
    args: ['evlist', '--input', file],
    onLine: (line) => events.push(line.trim()),
    signal,
  });
  const folder = new ScriptFolder(recording);
  const end = await runPerf({
    args: ['script', '--no-inline', '--fields', SCRIPT_FIELDS, '--input', file],
    onLine: (line) => folder.push(line),
    signal,
  });
  signal.throwIfAborted();
  for (const one of [listed, end]) {
    if (one.exitCode !== 0) throw new RunError(`perf cannot read its data: ${reason(one)}`);
  }
  const byPid = folder.end();
  const { cutBy } = recording;
  const window = cutBy === null ? recording : cutAt(recording, folder.lastNs ?? 0);
  if (window === null) throw new RunError(`perf recorded nothing: ${cutBy}`);
  const lost = /lost \d+ \w+/i.exec(end.said)?.[0];
  return {
    window,
    event: events.flatMap((line) => eventName(line) ?? []).join(', '),
    byPid,
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
