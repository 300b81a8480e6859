import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord, StepMetrics } from '@ibench/core';
import { run, step } from '@ibench/core/testing';
import { groupRuns, ratioSpreads } from '../src/index.ts';

/** The row of a tag: a repeat for each of these metrics of a step. */
function row(
  tag: string,
  name: string,
  repeats: readonly Partial<StepMetrics>[],
  more: Partial<RunRecord> = {},
) {
  const runs = repeats.map((metrics, i) =>
    run(tag, [step(name, metrics)], { runId: `${tag}-${i}`, repeat: i + 1, ...more }),
  );
  return groupRuns(runs)[0]!;
}

test('the ratio is that of the medians, the spread that of the repeats', () => {
  const base = row('b.base', 'l.i1', [{ ips: 90 }, { ips: 100 }, { ips: 110 }]);
  const other = row('b.a1', 'l.i1', [{ ips: 120 }, { ips: 130 }, { ips: 118 }]);
  assert.deepEqual(ratioSpreads(other, base, ['l.i1', 'settle']), [
    {
      step: 'l.i1',
      ratio: 1.2,
      spread: [1.18, 1.3],
      repeats: [1.2, 1.3, 1.18],
      mark: 'good',
      bySize: true,
    },
  ]);
  assert.deepEqual(ratioSpreads(base, base, ['l.i1'])[0]!.spread, [0.9, 1.1]);
});

test('one repeat has no spread; 4% is no change', () => {
  const base = row('b.base', 'l.i1', [{ ips: 100 }]);
  const [found] = ratioSpreads(row('b.a1', 'l.i1', [{ ips: 104 }]), base, ['l.i1']);
  assert.deepEqual([found!.spread, found!.mark], [null, 'none']);
});

test('beyond 5% and not told from noise is neither good nor bad', () => {
  const base = row('b.base', 'l.i1', [{ ips: 70 }, { ips: 95 }, { ips: 105 }, { ips: 140 }]);
  const noisy = row('b.a1', 'l.i1', [{ ips: 100 }, { ips: 110 }, { ips: 120 }, { ips: 130 }]);
  const [found] = ratioSpreads(noisy, base, ['l.i1']);
  assert.deepEqual([found!.ratio, found!.mark], [1.15, 'unsure']);
});

test('a missed SLA is no verdict; what cannot be compared is left out, a stalled repeat is not', () => {
  const met = { qps: 100, ips: 100, target_ips: 100 };
  const base = row('b.base', 'qr100', [met]);
  const missed = row('b.a1', 'qr100', [{ ...met, qps: 200, ips: 50 }]);
  assert.equal(ratioSpreads(missed, base, ['qr100'])[0]!.mark, 'missed-sla');
  const stalled = row('b.a2', 'qr100', [met, { ...met, qps: 0 }, met]);
  const stalledBase = row('b.zero', 'qr100', [{ ...met, qps: 0 }]);
  assert.deepEqual(ratioSpreads(stalled, base, ['qr100'])[0]!.spread, [0, 1]);
  assert.deepEqual(ratioSpreads(base, stalledBase, ['qr100']), []);
  const others = row('b.a3', 'qr100', [met], { clients: 8 });
  assert.deepEqual(ratioSpreads(others, base, ['qr100']), []);
});
