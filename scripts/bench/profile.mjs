// Where the CPU time of a worker goes, by part: `npm run bench:profile`. Needs perf, and the right to use it.
import fs from 'node:fs';
import path from 'node:path';
import { BIG_TABLE, emptyInsertTable, INSERT_TABLE } from './bench-server.mjs';
import { UsageError } from './ibench.mjs';
import { withBench } from './open-bench.mjs';
import { findProgram, runProgram } from './programs.mjs';
import { runWorkers } from './workers.mjs';

const SECONDS = 10;
const WARMUP = 2;
/** Samples per second of CPU time. */
const FREQUENCY = 5000;

/** What is profiled: the worker, and what its CPU is divided by. */
const SUBJECTS = [
  { what: 'range query', step: 'qr100', role: 'query', per: 'operations' },
  { what: 'point query', step: 'qp100', role: 'query', per: 'operations' },
  { what: 'row inserted in l.i0', step: 'l.i0', role: 'insert', per: 'rows' },
  { what: 'statement pair of the pacer, l.i2', step: 'l.i2', role: 'pace', per: 'operations' },
];

const KERNEL_PARTS = [
  [
    /^(__)?schedule|^do_idle|try_to_wake_up|ttwu|^pick_next|finish_task_switch/,
    'kernel: scheduler, wake-ups',
  ],
  [/sys_(sendto|write|sendmsg)/, 'kernel: send, write'],
  [/sys_(recvfrom|read|recvmsg)/, 'kernel: receive, read'],
  [/sys_(poll|ppoll|epoll_)/, 'kernel: poll'],
];

process.exitCode = await withBench(process.argv.slice(2), async (bench) => {
  if (findProgram('perf') === null) throw new UsageError('perf is not on PATH');
  // V8 leaves logs where it is started.
  process.chdir(bench.directory);
  const profiles = [];
  for (const subject of SUBJECTS) profiles.push(await profile(bench, subject));
  process.stdout.write(`${render(profiles)}\n`);
});

async function profile(bench, { what, step, role, per }) {
  bench.say(`profile of a ${what}`);
  const file = path.join(bench.directory, 'perf.data');
  const isLoad = step === 'l.i0';
  if (isLoad) emptyInsertTable(bench);
  const maps = [];
  const roles = {
    'l.i0': ['pace', 'insert'],
    'l.i2': ['pace', 'insert', 'delete'],
  };
  const done = await runWorkers(bench, {
    step,
    client: (isLoad ? INSERT_TABLE : BIG_TABLE).client,
    roles: roles[step] ?? ['query'],
    warmup: WARMUP,
    seconds: SECONDS,
    // Lets perf name the functions that V8 compiled.
    environment: { NODE_OPTIONS: '--perf-basic-prof' },
    during: async (workers) => {
      const { pid } = workers.find(({ job }) => job.role === role);
      await record(bench, pid, file);
      maps.push(`/tmp/perf-${pid}.map`);
    },
  });
  const { cpuS, seconds, [per]: count } = done[role];
  const parts = await readParts(bench, file);
  for (const map of maps) fs.rmSync(map, { force: true });
  return {
    what,
    wallUs: (seconds / count) * 1e6,
    cpuUs: (cpuS / count) * 1e6,
    parts,
  };
}

async function record(bench, pid, file) {
  const args = ['record', '-q', '-e', 'cpu-clock', '-F', FREQUENCY, '-g', '-p', pid, '-o', file];
  await runProgram(bench, 'perf', [...args, '--', 'sleep', SECONDS - 1].map(String));
}

/** Share of the samples in each part, by its name. */
async function readParts(bench, file) {
  const args = ['script', '-i', file, '-F', 'ip,sym,dso', '--no-inline'];
  const { stdout } = await runProgram(bench, 'perf', args);
  const counts = new Map();
  const stacks = stdout.split('\n\n').filter((stack) => stack.trim() !== '');
  for (const stack of stacks) {
    const part = partOf(stack.trim().split('\n'));
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  fs.rmSync(file);
  return new Map([...counts].map(([part, count]) => [part, count / stacks.length]));
}

/** The part that the innermost frame belongs to; of a system call's frames the most telling one. */
function partOf(frames) {
  const [leaf] = frames;
  const dso = /\(([^)]*)\)$/.exec(leaf)?.[1] ?? '';
  if (/kernel|\[k/.test(dso)) {
    const symbols = frames.map((frame) => frame.trim().split(/\s+/)[1] ?? '');
    const found = KERNEL_PARTS.find(([pattern]) => symbols.some((symbol) => pattern.test(symbol)));
    return found?.[1] ?? 'kernel: other';
  }
  if (/perf-\d+\.map|\[JIT\]/.test(dso)) return 'JavaScript, compiled';
  if (/koffi/.test(dso)) return 'FFI (koffi)';
  if (/libpq/.test(dso)) return 'libpq';
  if (/libc[.-]|vdso/.test(dso)) return 'C library, clock';
  if (/node$/.test(dso)) return 'V8: interpreter, builtins, runtime';
  return 'other';
}

function render(profiles) {
  const parts = [...new Set(profiles.flatMap(({ parts }) => [...parts.keys()]))].sort();
  const us = (value) => value.toFixed(value < 10 ? 2 : 1);
  const rows = [
    ['', ...profiles.map(({ what }) => what)],
    ['-', ...profiles.map(() => '-')],
    ...parts.map((part) => [
      part,
      ...profiles.map(({ parts, cpuUs }) => us((parts.get(part) ?? 0) * cpuUs)),
    ]),
    ['CPU, all', ...profiles.map(({ cpuUs }) => us(cpuUs))],
    ['wall time', ...profiles.map(({ wallUs }) => us(wallUs))],
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
