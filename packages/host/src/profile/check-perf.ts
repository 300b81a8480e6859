import fs from 'node:fs';
import path from 'node:path';
import { type CallGraph, mergeStacks, RunError, shareFromMain, UsageError } from '@ibench/core';
import { inTemporaryDirectory } from '../temporary-directory.ts';
import { runPerf } from './perf-process.ts';
import { CLOCK, foldRecording, reason, recordStacks } from './record-stacks.ts';

/**
 * May this process profile its own user's processes (root: all)? Found out by doing it for a moment.
 *
 * @throws UsageError with why not and what to do
 */
export async function checkPerf(): Promise<void> {
  await inTemporaryFile(async (file) => {
    const end = await runPerf({
      args: [
        'record',
        '-g',
        ...CLOCK,
        '--no-buildid',
        '--output',
        file,
        '--pid',
        String(process.pid),
        '--',
        'true',
      ],
    });
    if (end.exitCode === 0) return;
    throw new UsageError(`--profile perf: ${end.isMissing ? MISSING : refused(reason(end))}`);
  });
}

const MISSING =
  'perf is not installed; it is in the package linux-perf (Debian) or linux-tools (Ubuntu: of the running kernel)';

function refused(why: string): string {
  const level = readParanoid();
  const told = level === null ? '' : ` (kernel.perf_event_paranoid is ${level})`;
  return `perf may not profile here${told}: ${why}\nAllow it with sudo sysctl kernel.perf_event_paranoid=1, or run ibench as root; in a container it takes the capability PERFMON`;
}

function readParanoid(): string | null {
  try {
    return fs.readFileSync('/proc/sys/kernel/perf_event_paranoid', 'utf8').trim();
  } catch {
    return null;
  }
}

/** Share of samples that frame pointers must lead to `main`, for them to be enough. */
const WHOLE_SHARE = 0.8;
/** With fewer samples nothing is known of the build. */
const FEWEST_SAMPLES = 5;
const PROBE_SECONDS = 1;

/**
 * How the stacks of a process can be walked that is at work: by frame pointers where its program was compiled with
 * them, which costs least; else from copies of the stack.
 *
 * @throws RunError when perf may not look at the process
 */
export async function chooseCallGraph(pid: number, signal: AbortSignal): Promise<CallGraph> {
  return inTemporaryFile(async (file) => {
    const recording = await recordStacks(
      { pids: [pid], callGraph: 'fp', frequencyHz: 199, seconds: PROBE_SECONDS, file },
      signal,
    ).catch((cause: RunError) => {
      throw new RunError(
        `--profile perf: cannot look at the server's processes (${cause.message}): run ibench as root or as the server's user`,
        { cause },
      );
    });
    // Only an interruption ends it early.
    if (recording === null) throw signal.reason;
    const { byPid } = await foldRecording(file, recording, signal);
    const stacks = mergeStacks([...byPid.values()]);
    const samples = [...stacks.values()].reduce((sum, count) => sum + count, 0);
    const share = shareFromMain(stacks);
    return samples >= FEWEST_SAMPLES && share !== null && share >= WHOLE_SHARE ? 'fp' : 'dwarf';
  });
}

function inTemporaryFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  return inTemporaryDirectory('perf', (directory) => work(path.join(directory, 'perf.data')));
}
