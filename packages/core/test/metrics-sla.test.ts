import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slaMet, slaThreshold } from '../src/metrics/index.ts';
import { goldenRows } from './metrics-golden.ts';

test('95% of the target meets the SLA, one insert per second less does not', () => {
  assert.equal(slaMet(950, 1000), true);
  assert.equal(slaMet(949, 1000), false);
});

test('rates are compared as they are printed, in whole inserts per second', () => {
  assert.equal(slaMet(949.6, 1000), true);
  assert.equal(slaMet(949.4, 1000), false);
  assert.equal(slaMet(9.98, 10), true, '9.98 prints as 10, the threshold of 9.5 too');
});

for (const [file, verdict, rows, failures] of [
  ['seed003_sla.csv', 'verdict_by_rule', 6, 0],
  ['html_sla.csv', 'published_verdict', 144, 6],
] as const) {
  test(`all ${rows} verdicts of ${file} reproduce, ${failures} of them failures`, () => {
    let [checked, failed] = [0, 0];
    for (const row of goldenRows(file)) {
      const target = Number(row('target_ips'));
      const met = slaMet(Number(row('measured_ips')), target);
      assert.equal(met ? 'pass' : 'fail', row(verdict), `${row('dbms')} ${row('step')}`);
      assert.equal(slaThreshold(target), Number(row('threshold')));
      checked++;
      if (!met) failed++;
    }
    assert.deepEqual([checked, failed], [rows, failures]);
  });
}
