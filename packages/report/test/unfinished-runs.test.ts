import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenStep, run, step } from '@ibench/core/testing';
import { buildReport, unfinishedRuns } from '../src/index.ts';
import { findTable } from './tables.ts';

const done = run('pg17.a', [step('l.i0', { ips: 100 }), step('l.i1', { ips: 100 })]);
const crashed = run(
  'pg19.a',
  [step('l.i0', { ips: 90 }), brokenStep('settle', 'crashed', 'gone')],
  {
    status: 'crashed',
    message: 'the run was lost',
  },
);

test('a run that is not done is told with its status, the step and the reason', () => {
  const failed = run('pg19.b', [], { status: 'failed', message: 'initdb:\n  no space' });
  const told = unfinishedRuns([done, crashed, failed, run('pg19.c', [], { status: 'running' })]);
  assert.deepEqual(
    told.map(({ run: { tag }, text }) => [tag, text]),
    [
      ['pg19.a', 'crashed in settle: gone'],
      ['pg19.b', 'failed: initdb: no space'],
      ['pg19.c', 'running'],
    ],
  );
});

test('blank cells of the summary table are explained below it', () => {
  const notes = (...runs: Parameters<typeof buildReport>[0][number][]) =>
    findTable(buildReport(runs), 'summary').footnotes.filter((note) => /not done/.test(note));
  assert.deepEqual(notes(done, crashed), [
    'pg19.a: run pg19.a-1 is not done, crashed in settle: gone; blank: not reached',
  ]);
  assert.deepEqual(notes(done), []);
});
