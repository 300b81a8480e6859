import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandTag, marksOf, plainTag, resolveTag } from '../src/index.ts';

const MARKS = [[], ['spin'], ['debug build', 'postgres.js', 'pin=same']];

test('a tag with marks gives both back', () => {
  for (const tag of ['x', 'pg18.4.base', 'my [own] tag']) {
    for (const marks of MARKS) {
      const branded = brandTag(tag, marks);
      assert.deepEqual([plainTag(branded), marksOf(branded)], [tag, marks]);
    }
  }
});

test('a name means the tag itself, else the only one that is it with marks', () => {
  assert.equal(resolveTag('x', ['y', 'x [spin]', 'x', 'x [pin=apart]']), 'x');
  for (const marks of MARKS.slice(1)) {
    const tag = brandTag('x', marks);
    assert.equal(resolveTag('x', ['xx [spin]', tag, tag]), tag);
    assert.equal(resolveTag(tag, ['x', tag]), tag);
  }
  for (const tags of [[], ['xx'], ['x2 [spin]']]) assert.equal(resolveTag('x', tags), null);
  assert.throws(() => resolveTag('x', ['x [spin]', 'x [debug build]']), {
    name: 'UsageError',
    message: /expected one of "x \[spin\]", "x \[debug build\]"$/,
  });
});
