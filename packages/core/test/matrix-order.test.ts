import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planCells } from '../src/matrix/expand-plan.ts';
import { orderRuns } from '../src/matrix/order-runs.ts';
import { type Cell, PLAN_ORDERS, type PlannedRun } from '../src/matrix/plan-file.ts';
import { Random } from '../src/workload/random.ts';

function cells(count: number): Cell[] {
  const builds = Array.from({ length: count }, (_, i) => ({
    build: `b${i}`,
    label: `b${i}`,
    path: ['builds', i],
  }));
  const configs = [{ config: 'base', settings: {}, label: 'base', path: ['configs', 0] }];
  const workloads = [{ workload: 'tiny', set: {}, label: 'tiny', path: ['workloads', 0] }];
  return planCells({ builds, configs, workloads }, []);
}

function builds(runs: readonly PlannedRun[]): string {
  return runs.map(({ cell }) => cell.build.slice(1)).join('');
}

/** Many matrices, the same in every run of the test. */
const sizes = (() => {
  const random = new Random();
  random.seed(20261130, 0, 0);
  return Array.from({ length: 60 }, () => ({
    count: 1 + random.below(12),
    repeats: 1 + random.below(7),
    seed: random.below(1000),
  }));
})();

describe('the order of the runs of a plan', () => {
  it('runs every cell once in each repeat, numbered from 1, whatever the order', () => {
    for (const kind of PLAN_ORDERS) {
      for (const { count, repeats, seed } of sizes) {
        const runs = orderRuns(cells(count), repeats, { kind, seed });
        assert.deepEqual(
          runs.map(({ ordinal }) => ordinal),
          Array.from({ length: count * repeats }, (_, i) => i + 1),
        );
        const pairs = new Set(runs.map(({ cell, repeat }) => `${cell.tag} ${repeat}`));
        assert.equal(pairs.size, count * repeats);
        assert.ok(runs.every(({ repeat }) => repeat >= 1 && repeat <= repeats));
      }
    }
  });

  it('interleaves forwards and backwards', () => {
    const runs = orderRuns(cells(3), 4, { kind: 'interleaved', seed: 1 });
    assert.equal(builds(runs), '012210012210');
    assert.deepEqual(
      runs.map(({ repeat }) => repeat),
      [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4],
    );
  });

  it('gives interleaved cells the same mean position where the repeats are even', () => {
    for (const { count, repeats } of sizes.filter((size) => size.repeats % 2 === 0)) {
      const runs = orderRuns(cells(count), repeats, { kind: 'interleaved', seed: 1 });
      const sums = new Map<string, number>();
      for (const { cell, ordinal } of runs) sums.set(cell.tag, (sums.get(cell.tag) ?? 0) + ordinal);
      assert.equal(new Set(sums.values()).size, 1);
    }
  });

  it('does all repeats of a cell before the next when sequential', () => {
    const runs = orderRuns(cells(3), 2, { kind: 'sequential', seed: 1 });
    assert.equal(builds(runs), '001122');
    assert.deepEqual(
      runs.map(({ repeat }) => repeat),
      [1, 2, 1, 2, 1, 2],
    );
  });

  it('shuffles each repeat anew, the same way for the same seed', () => {
    const shuffled = (seed: number) =>
      builds(orderRuns(cells(10), 3, { kind: 'shuffled', seed })).match(/.{10}/g) as string[];
    assert.deepEqual(shuffled(7), shuffled(7));
    assert.equal(new Set([...shuffled(7), ...shuffled(8)]).size, 6);
    for (const block of shuffled(7)) assert.equal([...block].sort().join(''), '0123456789');
  });

  it('lets every cell come first about equally often when shuffled', () => {
    const first = new Map<string, number>();
    const repeats = 1000;
    const runs = orderRuns(cells(5), repeats, { kind: 'shuffled', seed: 3 });
    for (let i = 0; i < runs.length; i += 5) {
      const { build } = runs[i]!.cell;
      first.set(build, (first.get(build) ?? 0) + 1);
    }
    for (const times of first.values()) assert.ok(times > 140 && times < 260, `${times}`);
    assert.equal(first.size, 5);
  });
});
