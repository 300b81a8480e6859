import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildReport } from '@ibench/report';
import { validity } from '../src/header.ts';
import { warningRows } from '../src/sections/caveats.ts';
import type { PageContext } from '../src/sections/section.ts';
import { oneStepRun } from './one-step-run.ts';

test('a step that was inherited is not one that failed', () => {
  const [step] = oneStepRun('a', 100).steps;
  const steps = ['inherited', 'crashed'].map((status) => ({ ...step!, status }));
  const context = { runs: [oneStepRun('a', 100), { ...oneStepRun('b', 100), steps }], tables: [] };
  assert.ok(validity(context as unknown as PageContext).includes('1 step failed'));
});

test('the head counts the warnings that the list has: of several steps once, and no ends of runs', () => {
  const [step] = oneStepRun('a', 100).steps;
  const steps = ['l.i1', 'l.i2'].map((name) => ({ ...step!, step: name, warnings: ['steal'] }));
  const runs = [
    oneStepRun('a', 100, { steps, warnings: ['old kernel'] }),
    oneStepRun('b', 100, { status: 'crashed', message: 'gone' }),
  ];
  const tables = buildReport(runs, { tables: ['warnings'] });
  assert.equal(tables[0]!.rows.length, 3);
  assert.equal(warningRows(tables), 2);
  assert.ok(validity({ runs, tables } as unknown as PageContext).includes('2 warnings'));
});
