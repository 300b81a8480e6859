import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Fault, STEP } from './fault.ts';
import { KILLS } from './kills.ts';
import type { Trial } from './trial.ts';

/** Long enough for a step to be judged, see core/audit/cpu.ts. */
const JUDGED = { read_write_seconds: 7 } as const;
/** A step that is done, after which the run is interrupted: the steps that follow add nothing. */
const DONE = { choice: { set: JUDGED }, failed: null, exitCode: 130 } as const;

const STALL_MS = 3000;

const stall: Fault = {
  ...DONE,
  alone: true,
  name: 'stall-backend',
  what: 'SIGSTOP to the insert backend for 3 s',
  mustSay: 'a deficit of at least 2 s in a row, a backlog, and a response of at least 2 s',
  expected:
    /^longest deficit ([2-9]|\d\d+) s, largest backlog [1-9]\d* rows, slowest ([2-9]\.|\d\d)/,
  inject: async (trial) => {
    await trial.untilUnderWay(STEP);
    await stopFor(trial.pidOf(STEP, 'insert', 'backendPid'));
    await endAfterStep(trial);
  },
  said: (trial) => {
    const step = trial.step(STEP);
    const all = step?.sla.find(({ client }) => client === null);
    const inserts = step?.times.find((one) => one.kind === 'insert' && one.clock === 'response');
    return `longest deficit ${all?.longestDeficitS} s, largest backlog ${all?.largestBacklogRows} rows, slowest ${((inserts?.maxUs ?? 0) / 1e6).toFixed(1)} s`;
  },
};

const stoppedWorker: Fault = {
  ...DONE,
  name: 'stop-querier',
  what: 'SIGSTOP to the querier for 3 s',
  mustSay: 'the step is invalid, and which worker was stopped',
  expected: /^invalid: the querier of client 1 was stopped \(SIGSTOP\), /,
  inject: async (trial) => {
    await trial.untilUnderWay(STEP);
    await stopFor(trial.pidOf(STEP, 'query', 'pid'));
    await endAfterStep(trial);
  },
  said: (trial) => invalidReason(trial, 'stopped'),
};

const changedSetting: Fault = {
  ...DONE,
  alone: true,
  name: 'change-setting',
  what: 'work_mem changed and the configuration reloaded',
  mustSay: 'the step is invalid, which setting, its value before and now',
  expected: /^invalid: settings did not stay .*: work_mem was 4096 × kB, then 1024 × kB$/,
  inject: async (trial) => {
    await trial.untilUnderWay(STEP);
    const file = path.join(trial.dataDirectory(), 'postgresql.auto.conf');
    fs.appendFileSync(file, "work_mem = '1MB'\n");
    process.kill(trial.postmaster(), 'SIGHUP');
    await endAfterStep(trial);
  },
  said: (trial) => invalidReason(trial, 'settings'),
};

const foreignLoad: Fault = {
  ...DONE,
  alone: true,
  name: 'foreign-cpu',
  what: 'one busy loop per CPU, not ours',
  mustSay: 'the step is invalid, with the share of the CPU that others took',
  expected: /^invalid: \d+\.\d% of the CPU went to other programs /,
  choice: { set: JUDGED, maxForeignCpuPct: 25 },
  inject: async (trial) => {
    await trial.until(`${STEP} begins`, () => trial.step(STEP) !== null);
    const burners = os.cpus().map(() => new Worker('for (;;);', { eval: true }));
    try {
      await trial.untilDone(STEP);
    } finally {
      await Promise.all(burners.map((burner) => burner.terminate()));
    }
    await endAfterStep(trial);
  },
  said: (trial) => invalidReason(trial, 'foreign-cpu'),
};

const wrongSetting: Fault = {
  name: 'wrong-setting',
  what: 'a config with a value that the server silently replaces',
  mustSay: 'the setting, what was asked for, what the server has; no step runs',
  expected: /autovacuum_work_mem \(.*\): requested 10kB, the server has 64/,
  choice: { config: 'autovacuum_work_mem = 10kB\n' },
  failed: null,
  exitCode: 1,
  inject: async () => {},
};

/** A runner that was killed is cleaned up after by whatever run starts next. */
const killedRunner: Fault = {
  alone: true,
  name: 'kill-runner',
  what: 'SIGKILL to the runner itself, then another run',
  mustSay: 'the next run stops the server, removes its data and marks the run as crashed',
  expected: /its server \(pid \d+\) is stopped, its data is removed.*is marked as crashed/s,
  choice: {},
  failed: null,
  exitCode: 137,
  inject: async (trial) => {
    await trial.untilUnderWay(STEP);
    process.kill(trial.pid, 'SIGKILL');
    await trial.ended;
  },
};

const DISK_MB = 300;

const nearlyFullDisk: Fault = {
  name: 'disk-reserve',
  what: `a disk of ${DISK_MB} MB that fills up, with a reserve`,
  mustSay: 'the run stops before, with what is free and what the reserve is',
  expected:
    /^l\.i0: only \d+\.\d MB are free on the file system of .*, less than the reserve of 100\.0 MB: /,
  choice: { set: { rows: 50_000_000 }, diskReserve: '100MB' },
  disk: DISK_MB,
  failed: 'l.i0',
  exitCode: 1,
  inject: async () => {},
};

const fullDisk: Fault = {
  ...nearlyFullDisk,
  name: 'disk-full',
  what: `a disk of ${DISK_MB} MB that is full`,
  mustSay: 'the step failed, in the words of the server',
  expected: /No space left on device/,
  choice: { set: { rows: 50_000_000 } },
  inject: async (trial, { disk }) => {
    await trial.untilUnderWay('l.i0');
    fill(path.join(disk as string, 'filler'));
  },
};

/** All of them, in the order in which they are tried. */
export const FAULTS: readonly Fault[] = [
  wrongSetting,
  ...KILLS,
  stall,
  stoppedWorker,
  changedSetting,
  foreignLoad,
  nearlyFullDisk,
  fullDisk,
  killedRunner,
];

/** The runs of a fault after which a second one must clean up. */
export function needsNextRun({ name }: Fault): boolean {
  return name === killedRunner.name;
}

async function stopFor(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(STALL_MS);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function endAfterStep(trial: Trial): Promise<void> {
  await trial.untilDone(STEP);
  process.kill(trial.pid, 'SIGINT');
}

function invalidReason(trial: Trial, name: string): string {
  const audit = trial.step(STEP)?.audits.find((one) => one.name === name);
  return audit === undefined ? 'nothing' : `${audit.verdict}: ${audit.reason}`;
}

/** Writes until there is no room. */
function fill(file: string): void {
  const fd = fs.openSync(file, 'w');
  try {
    for (;;) fs.writeSync(fd, Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    fs.closeSync(fd);
  }
}
