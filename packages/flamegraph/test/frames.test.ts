import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contains, type Frame, layOut, readFrames } from '../browser/frames.ts';
import { matchedShare, matcher } from '../browser/search.ts';
import { neighbour } from '../browser/walk.ts';

/** all(10, base 5) → main → f(6, of them 1 itself; base 5) → g(5; base 1), and h(4; base 0). */
function example(): Record<'all' | 'main' | 'f' | 'g' | 'h', Frame> & { list: Frame[] } {
  const list = readFrames({
    samples: 10,
    baseSamples: 5,
    names: ['all', 'main', 'f', 'g', 'h'],
    frames: [0, 0, 10, 0, 5, 1, 1, 10, 0, 5, 2, 2, 6, 1, 5, 3, 3, 5, 5, 1, 4, 2, 4, 4, 0],
  });
  const [all, main, f, g, h] = list as [Frame, Frame, Frame, Frame, Frame];
  return { all, main, f, g, h, list };
}

test('frames are a tree, with shares of the profile and of the base', () => {
  const { all, main, f, g, h, list } = example();
  assert.equal(list.length, 5);
  assert.equal(all.parent, null);
  assert.deepEqual(main.children, [f, h]);
  assert.equal(g.parent, f);
  assert.deepEqual([f.now, f.self, f.base], [0.6, 0.1, 1]);
  assert.deepEqual([h.now, h.base], [0.4, 0]);
  assert.ok(contains(main, g) && contains(g, g));
  assert.ok(!contains(h, g) && !contains(g, f));
});

test('children stand side by side over their parent, by either width', () => {
  const { f, g, h, list } = example();
  layOut(list, ({ now }) => now);
  assert.deepEqual([f.x, g.x, h.x], [0, 0, 0.6]);
  layOut(list, ({ base }) => base);
  assert.deepEqual([f.x, g.x, h.x], [0, 0, 1]);
});

test('a search finds text whatever its case, or a regular expression, and counts what is nested once', () => {
  const { list } = example();
  const share = (text: string): number => {
    const matches = matcher(text);
    assert.ok(matches !== null && matches !== 'invalid');
    return matchedShare(list, ({ now }) => now, matches);
  };
  assert.equal(matcher(''), null);
  assert.equal(share('G'), 0.5);
  assert.equal(share('/^[fg]$/'), 0.6);
  assert.equal(share('/^[gh]$'), 0.9);
  for (const text of ['/(/', '/[/', '/*', '/a{2,1}/']) assert.equal(matcher(text), 'invalid', text);
  assert.equal(share('.'), 0, 'a dot is a dot');
});

test('arrows lead to the widest child, the parent, and along the row', () => {
  const { all, main, f, g, h, list } = example();
  const places = {
    shareOf: ({ now }: Frame) => now,
    row: (depth: number) => list.filter((frame) => frame.depth === depth),
  };
  const from = (frame: Frame, key: string) => neighbour(frame, key, places);
  assert.equal(from(main, 'ArrowUp'), f);
  assert.equal(from(g, 'ArrowUp'), undefined);
  assert.equal(from(f, 'ArrowDown'), main);
  assert.equal(from(all, 'ArrowDown'), undefined);
  assert.equal(from(f, 'ArrowRight'), h);
  assert.equal(from(h, 'ArrowRight'), undefined);
  assert.equal(from(h, 'ArrowLeft'), f);
});
