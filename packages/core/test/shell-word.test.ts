import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { shellWord } from '../src/index.ts';

test('a shell reads each word back as it was', () => {
  const texts = ['rows=1000', 'a b', "it's", '', '$HOME', '*', 'x;y', '"q"', '\\', 'line\nbreak'];
  for (const text of texts) {
    const read = execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' });
    assert.equal(read, text);
  }
  assert.equal(shellWord('--set'), '--set');
});
