import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doctorText } from '../src/commands/doctor-text.ts';

test('findings are grouped by what needs work, aligned, and broken at blanks', () => {
  const long = 'a word or two '.repeat(8).trim();
  const text = doctorText([
    { check: 'node', status: 'ok', found: 'v20', advice: null },
    { check: 'load', status: 'warn', found: 'busy', advice: long },
    { check: 'turbo', status: 'unknown', found: 'not said', advice: null },
    { check: 'free disk', status: 'bad', found: long, advice: `Empty ${'x'.repeat(120)} first.` },
    { check: 'swap', status: 'ok', found: 'none', advice: null },
  ]);
  assert.equal(
    text,
    `Bad: a run here fails, or its numbers mislead
  ✗ free disk  a word or two a word or two a word or two a word or two a word or two a word or two a
               word or two a word or two
               → Empty
                 ${'x'.repeat(120)}
                 first.

Warnings: numbers are less comparable or repeatable
  ! load       busy
               → a word or two a word or two a word or two a word or two a word or two a word or two
                 a word or two a word or two

Not known on this host
  ? turbo      not said

Good
  ✓ node       v20
  ✓ swap       none`,
  );
});

test('groups without findings are not shown', () => {
  assert.equal(doctorText([]), '');
  assert.equal(
    doctorText([{ check: 'node', status: 'ok', found: 'v20', advice: null }]),
    'Good\n  ✓ node  v20',
  );
});
