import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { abortable, makeTemporaryDirectory } from '@ibench/host';
import { messageOf } from '../run/failure.ts';
import { type Release, withReleasers } from '../run/releasers.ts';
import type { Fault, FaultPlace } from './fault.ts';
import { needsNextRun } from './faults.ts';
import { type FaultOutcome, judge } from './judge.ts';
import { endAll, familyOf, type Seen, stillRunning } from './processes.ts';
import { mountSmallDisk } from './small-disk.ts';
import { Trial } from './trial.ts';

/** How long what belongs to a run may outlive it. */
const LINGER_MS = 10_000;

/**
 * Tries one fault on a throw-away run with a server of its own, in a folder of its own. Whatever happens,
 * no process and no file of it is left.
 *
 * @param signal ends it early
 */
export function tryFault(fault: Fault, signal: AbortSignal): Promise<FaultOutcome> {
  return withReleasers(async (release) => {
    const directory = makeTemporaryDirectory('selftest');
    release(() => fs.rmSync(directory, { recursive: true, force: true }));
    fs.chmodSync(directory, 0o755);
    let disk: string | null = null;
    if (fault.disk !== undefined) {
      const small = mountSmallDisk(path.join(directory, 'disk'), fault.disk);
      if (small.kind === 'impossible') return { fault, ok: null, said: small.why, problems: [] };
      release(small.unmount);
      disk = small.directory;
    }
    return await tryIn({ directory, disk }, fault, signal, release);
  });
}

async function tryIn(
  place: FaultPlace,
  fault: Fault,
  signal: AbortSignal,
  release: Release,
): Promise<FaultOutcome> {
  const { directory, disk } = place;
  const onDisk = disk === null ? {} : { dataDirectory: path.join(disk, 'data') };
  const trial = new Trial(directory, { ...fault.choice, ...onDisk });
  const seen = new Map<string, Seen>();
  const watch = setInterval(() => note(trial, seen), 200);
  release(async () => {
    clearInterval(watch);
    note(trial, seen);
    await endAll(stillRunning([...seen.values()]));
  });
  const problems: string[] = [];
  try {
    await abortable(fault.inject(trial, place), signal);
    const { code, signal: ended } = await abortable(trial.ended, signal);
    const exit = code ?? 128 + (os.constants.signals[ended ?? 'SIGKILL'] ?? 0);
    if (exit !== fault.exitCode) problems.push(`exit code ${exit} instead of ${fault.exitCode}`);
  } catch (error) {
    signal.throwIfAborted();
    problems.push(messageOf(error));
  }
  const said = await sayings(trial, fault, place, signal);
  problems.push(...stepProblems(trial, fault), ...(await leftProblems(seen)));
  return judge(fault, { said, printed: `${trial.printed}\n${said}`, wrong: problems });
}

/** What was said about the fault; of a killed runner the next run speaks. */
async function sayings(
  trial: Trial,
  fault: Fault,
  { directory }: FaultPlace,
  signal: AbortSignal,
): Promise<string> {
  if (!needsNextRun(fault)) return fault.said?.(trial) ?? trial.record()?.message ?? trial.printed;
  const next = new Trial(directory);
  try {
    await abortable(
      next.until('it has cleaned up', () => /is marked as crashed/.test(next.printed)),
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    return messageOf(error);
  } finally {
    process.kill(next.pid, 'SIGINT');
    await next.ended;
  }
  return next.printed;
}

function note(trial: Trial, seen: Map<string, Seen>): void {
  for (const one of familyOf([trial.pid])) seen.set(`${one.pid} ${one.token}`, one);
}

function stepProblems(trial: Trial, { failed }: Fault): string[] {
  const steps = trial.record()?.steps ?? [];
  const wrong = steps.filter(({ step, status }) => (status === 'failed') !== (step === failed));
  const problems = wrong.map(({ step, status }) => `${step} is ${status}`);
  if (failed === null) return problems;
  const step = steps.find((one) => one.step === failed);
  if (step === undefined) return [...problems, `${failed} did not run`];
  return step.metrics === null ? problems : [...problems, `${failed} has numbers`];
}

async function leftProblems(seen: ReadonlyMap<string, Seen>): Promise<string[]> {
  const until = performance.now() + LINGER_MS;
  for (;;) {
    const left = stillRunning([...seen.values()]);
    if (left.length === 0) return [];
    if (performance.now() > until) {
      return left.map(({ pid, command }) => `left behind: pid ${pid} ${command.slice(0, 60)}`);
    }
    await sleep(50);
  }
}
