import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IoSample, OsSample, VmSample } from '@ibench/core';
import { type HalfSample, IntervalJoiner } from '../src/sampler/interval-joiner.ts';
import { parseIostat } from '../src/sampler/parse-iostat.ts';
import { parseVmstat } from '../src/sampler/parse-vmstat.ts';

test('what both tools report for one interval is one sample, whichever comes first', () => {
  const run = joinerOf({ stepStartS: 0.5 });
  run.begin(0, 0.01);
  run.vm(1, 1);
  run.io(1.01, 1);
  run.vm(2, 2);
  run.io(2.01, 2);
  run.io(2.999, 3);
  run.vm(3, 3);
  run.joiner.flush();
  // The interval from 0 to 1 began before the step did.
  assert.deepEqual(run.seen(), ['1: vm 2 io 2', '2: vm 3 io 3']);
});

test('an interval that ends after the step is left out', () => {
  const run = joinerOf({ stepStartS: 0 });
  run.begin(0, 0);
  run.vm(1, 1);
  run.io(1.01, 1);
  run.endStep();
  run.vm(2, 2);
  run.io(2.01, 2);
  run.joiner.flush();
  assert.deepEqual(run.seen(), ['1: vm 1 io 1']);
});

test('a sample counts only if both of its halves lie inside the step', () => {
  const run = joinerOf({ stepStartS: 0.005 });
  run.begin(0, 0.01);
  run.vm(1, 1);
  run.io(1.01, 1);
  run.vm(2, 2);
  run.io(2.01, 2);
  assert.deepEqual(run.seen(), ['2: vm 2 io 2']);
});

test('a half without its partner goes out alone, with the other half absent', () => {
  const run = joinerOf({ stepStartS: 0 });
  run.begin(0, 0);
  run.vm(1, 1);
  run.vm(2, 2);
  run.io(2.01, 2);
  run.io(3, 3);
  run.joiner.flush();
  assert.deepEqual(run.seen(), ['1: vm 1 io -', '2: vm 2 io 2', '3: vm - io 3']);
});

test('seconds follow each other when the reports come late or early by milliseconds', () => {
  const run = joinerOf({ stepStartS: 0 });
  run.begin(0, 0);
  for (const [index, atS] of [0.9995, 2.0004, 2.9991, 3.9999, 5.0002].entries()) {
    run.vm(atS, index);
    run.io(atS + 0.003, index);
  }
  assert.deepEqual(
    run.samples.map((sample) => sample.second),
    [1, 2, 3, 4, 5],
  );
});

test('no two samples have the same second after the tools have drifted apart', () => {
  const run = joinerOf({ stepStartS: 0 });
  run.begin(0, 0);
  for (let count = 1; count <= 400; count += 1) {
    const halves: [number, 'vm' | 'io'][] = [
      [count * 1.004, 'vm'],
      [count, 'io'],
    ];
    for (const [atS, kind] of halves.sort((a, b) => a[0] - b[0])) run[kind](atS, count);
  }
  const seconds = run.samples.map((sample) => sample.second);
  assert.ok(seconds.length >= 400);
  assert.ok(seconds.every((second, index) => index === 0 || second > seconds[index - 1]!));
  assert.ok(Math.abs(seconds.at(-1)! - 400) <= 2);
});

test('reports that are read late, all at once, are no samples of seconds that have not been', () => {
  const run = joinerOf({ stepStartS: 0 });
  run.begin(0, 0);
  run.vm(1, 1);
  run.io(1.01, 1);
  for (const index of [2, 3, 4, 5, 6]) {
    run.vm(6.2, index);
    run.io(6.2, index);
  }
  run.joiner.flush();
  assert.deepEqual(run.seen(), ['1: vm 1 io 1', '6: vm 2 io 2', '7: vm 3 io 3']);
});

test('a longer interval counts its seconds too', () => {
  const run = joinerOf({ stepStartS: 0, intervalS: 5 });
  run.begin(0.2, 0.21);
  for (const end of [5.2, 10.2, 15.2]) {
    run.vm(end, end);
    run.io(end + 0.4, end);
  }
  assert.deepEqual(
    run.samples.map((sample) => sample.second),
    [5, 10, 15],
  );
});

test('nothing is handed over while no step is running', () => {
  const run = joinerOf({ stepStartS: null });
  run.begin(0, 0);
  run.vm(1, 1);
  run.io(1, 1);
  run.joiner.flush();
  assert.deepEqual(run.samples, []);
});

interface Run {
  readonly joiner: IntervalJoiner;
  readonly samples: OsSample[];
  begin(vmS: number, ioS: number): void;
  vm(atS: number, cs: number): void;
  io(atS: number, writes: number): void;
  endStep(): void;
  seen(): string[];
}

function joinerOf(step: { stepStartS: number | null; intervalS?: number }): Run {
  const samples: OsSample[] = [];
  let startNs = step.stepStartS === null ? null : toNs(step.stepStartS);
  const joiner = new IntervalJoiner({
    intervalS: step.intervalS ?? 1,
    stepStartNs: () => startNs,
    onSample: (sample) => samples.push(sample),
  });
  const add = (half: HalfSample, atS: number): void => joiner.add(half, toNs(atS));
  return {
    joiner,
    samples,
    begin: (vmS, ioS) => {
      joiner.begin('vm', toNs(vmS));
      joiner.begin('io', toNs(ioS));
    },
    vm: (atS, cs) => add({ kind: 'vm', vm: vmOf(cs) }, atS),
    io: (atS, writes) => add({ kind: 'io', io: [ioOf(writes)] }, atS),
    endStep: () => {
      startNs = null;
    },
    seen: () =>
      samples.map(
        ({ second, vm, io }) => `${second}: vm ${vm?.cs ?? '-'} io ${io[0]?.writesPerS ?? '-'}`,
      ),
  };
}

function toNs(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e9)) + 1_000_000_000_000n;
}

function vmOf(cs: number): VmSample {
  return parseVmstat(`cs us sy id\n${cs} 1 2 97\n`).rows[0]!.sample;
}

function ioOf(writes: number): IoSample {
  return parseIostat(`Device r/s w/s\nsda 0 ${writes}\n`)[0]!.devices[0]!;
}
