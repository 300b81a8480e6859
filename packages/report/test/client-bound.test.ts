import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepRecord } from '@ibench/core';
import { run, step } from '@ibench/core/testing';
import { buildReport } from '../src/index.ts';
import { findCell, findTable } from './tables.ts';

function waited(name: string, share: number | null): StepRecord {
  return step(name, {
    ips: 1000,
    qps: 500,
    server_wait_share: share,
    client_bound: share === null ? null : share < 0.7,
  });
}

test('the throughput of a client-bound step is labelled wherever it is shown, and only that', () => {
  const tables = buildReport([
    run('a', [waited('l.i0', 0.9), waited('qr100', 0.5)]),
    run('b', [waited('l.i0', 0.699), waited('qr100', 0.7)]),
  ]);
  const labelled = (table: string, column: string, name: string | null = null) =>
    ['a', 'b'].map((tag) => findCell(findTable(tables, table, name), tag, column).clientBound);
  for (const id of ['summary', 'relative']) {
    assert.deepEqual(labelled(id, 'l.i0'), [undefined, true]);
    assert.deepEqual(labelled(id, 'qr100'), [true, undefined]);
  }
  assert.deepEqual(labelled('metrics', 'ips', 'l.i0'), [undefined, true]);
  assert.deepEqual(labelled('metrics', 'qps', 'l.i0'), [undefined, undefined]);
  assert.deepEqual(labelled('metrics', 'qps', 'qr100'), [true, undefined]);
  assert.deepEqual(labelled('metrics', 'ips', 'qr100'), [undefined, undefined]);
});

test('a step that is client-bound and missed the SLA has both labels', () => {
  const both = step('qr100', { qps: 5, ips: 300, target_ips: 400, server_wait_share: 0.5 });
  const cell = findCell(findTable(buildReport([run('a', [both])]), 'summary'), 'a', 'qr100');
  assert.deepEqual(cell, { value: 5, text: '5', mark: 'missed-sla', clientBound: true });
});

test('where no step is client-bound no footnote speaks of it', () => {
  const tables = buildReport([
    run('a', [waited('l.i0', 0.7), waited('l.x', null)]),
    run('b', [waited('l.i0', 1)]),
  ]);
  assert.doesNotMatch(tables.flatMap(({ footnotes }) => footnotes).join(), /client-bound/);
});

test('a step that failed is not labelled, whatever was stored', () => {
  const failed = { ...waited('l.i0', 0.1), status: 'failed' } as const;
  const summary = findTable(buildReport([run('a', [failed])]), 'summary');
  assert.deepEqual(findCell(summary, 'a', 'l.i0'), {
    value: 'failed',
    text: 'failed',
    mark: 'absent',
  });
  assert.equal(findCell(summary, 'a', 'l.i0_client_bound').value, null);
});

test('the verdict on repeats is that on their median, and those that ended otherwise are told', () => {
  const bound = (shares: number[]) =>
    findTable(buildReport(shares.map((share) => run('a', [waited('l.i0', share)]))), 'summary');
  const one = bound([0.9, 0.6, 0.8]);
  assert.equal(findCell(one, 'a', 'l.i0').clientBound, undefined);
  assert.deepEqual(one.footnotes.slice(0, 1), [
    'a, l.i0: client-bound in 1 of 3 repeats, not by the median',
  ]);
  const two = bound([0.9, 0.6, 0.65]);
  assert.equal(findCell(two, 'a', 'l.i0').clientBound, true);
  assert.match(two.footnotes[0]!, /^◆ client-bound: /);
  assert.equal(two.footnotes[1], 'a, l.i0: client-bound in 2 of 3 repeats');
  assert.equal(bound([0.6, 0.5, 0.4]).footnotes.length, 2);
});

test('the details have the share in %, NA where there was no worker', () => {
  const tables = buildReport([
    run('a', [waited('l.i0', 0.8215)]),
    run('b', [waited('l.i0', null)]),
  ]);
  const details = findTable(tables, 'details', 'l.i0');
  assert.equal(
    details.columns.find(({ key }) => key === 'server_wait_pct')?.label,
    'server wait %',
  );
  assert.deepEqual(
    ['a', 'b'].map((tag) => findCell(details, tag, 'server_wait_pct').text),
    ['82.2', 'NA'],
  );
});
