import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenStep, run } from '@ibench/core/testing';
import { buildReport } from '@ibench/report';
import { renderTable } from '../src/table-html.ts';

test('a message of many lines shows its first, the others are folded and escaped', () => {
  const message = 'the server is gone\nserver.log ends with:\nLOG: one\nFATAL: <b>two';
  const runs = ['many', 'one'].map((tag) =>
    run(tag, [brokenStep('l.i1', 'failed', tag === 'many' ? message : 'no space')], {
      status: 'failed',
    }),
  );
  const warnings = buildReport(runs).find(({ id }) => id === 'warnings');
  const markup = renderTable(warnings!, { id: 't-warnings' });
  assert.match(
    markup,
    /<td>the server is gone …<details><summary>more<\/summary><pre>server\.log ends with:\nLOG: one\nFATAL: &lt;b&gt;two<\/pre><\/details><\/td>/,
  );
  assert.match(markup, /<td>no space<\/td>/);
});
