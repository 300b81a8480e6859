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

test('a log at the end of a message is in no sentence: people see what happened, programs have all', () => {
  const log = '/runs/1/server.log ends with:\nLOG: one\nLOG: two\nFATAL: three';
  const message = `the server is gone: it ended with exit code 2\n${log}`;
  const lost = run('pg19.d', [brokenStep('l.i1', 'failed', message)], {
    status: 'failed',
    message: `l.i1: ${message}`,
  });
  const tables = buildReport([done, lost]);
  const told = 'failed in l.i1: the server is gone: it ended with exit code 2 …';
  assert.equal(unfinishedRuns([lost])[0]!.text, told);
  for (const table of tables) {
    for (const text of [table.note, ...table.footnotes]) assert.doesNotMatch(text, /FATAL/);
    for (const { cells } of table.rows) {
      for (const { text } of cells) assert.doesNotMatch(text, /FATAL|\n/, table.id);
    }
  }
  const cell = findTable(tables, 'warnings').rows[0]!.cells.at(-1)!;
  assert.equal(cell.text, told.replace('failed in ', ''));
  assert.equal(cell.value, `l.i1: ${message}`);
});

test('blank cells of the summary table are explained below it', () => {
  const notes = (...runs: Parameters<typeof buildReport>[0][number][]) =>
    findTable(buildReport(runs), 'summary').footnotes.filter((note) => /not done/.test(note));
  assert.deepEqual(notes(done, crashed), [
    'pg19.a: run pg19.a-1 is not done, crashed in settle: gone; blank: not reached',
  ]);
  assert.deepEqual(notes(done), []);
});
