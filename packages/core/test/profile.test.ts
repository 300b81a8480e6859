import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cutAt,
  type FoldedStacks,
  foldedText,
  frameTree,
  fromMain,
  functionChanges,
  functionShares,
  isWindowDue,
  mergeStacks,
  parseFolded,
  preOrder,
  ScriptFolder,
  shareFromMain,
} from '../src/index.ts';

/** As perf 6.1 prints it: `perf script -F pid,time,ip,sym,dso`. */
const SCRIPT = `25017    91.920239: 
	          3edd9d PageAddItemExtended (/opt/pg/bin/postgres)
	          3f6c5b exec_simple_query (/opt/pg/bin/postgres)
	          10d051 main (/opt/pg/bin/postgres)
	           27304 __libc_start_main@@GLIBC_2.34 (/usr/lib/x86_64-linux-gnu/libc.so.6)

25015    91.930239: 
	ffffffff81bdb11c iowrite16 ([kernel.kallsyms])
	ffffffffc0a1 xfs_log ([xfs])
	    7f1e8c51 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6 (deleted))
	    5570f62e [unknown] ([unknown])

25017    91.940239123: 
	          3edd9d PageAddItemExtended+0x1f (/opt/pg/bin/postgres)
	          3f6c5b exec_simple_query (/opt/pg/bin/postgres)
	          10d051 main (/opt/pg/bin/postgres)
	           27304 __libc_start_main@@GLIBC_2.34 (/usr/lib/x86_64-linux-gnu/libc.so.6)

25017    91.950239: 
	          9d0000 operator;new(unsigned long) (/opt/a b/lib.so)
	          10d051 main (/opt/pg/bin/postgres)

25015    91.960239: 
`;

function fold(script: string, fromNs = 0, toNs = Number.POSITIVE_INFINITY) {
  const folder = new ScriptFolder({ fromNs, toNs });
  for (const line of script.split('\n')) folder.push(line);
  return { byPid: folder.end(), lastNs: folder.lastNs };
}

function folded(script: string): ReadonlyMap<number, FoldedStacks> {
  return fold(script).byPid;
}

test('frames outside of main are cut off, so that stacks walked in two ways have one root', () => {
  const walked = new Map([
    ['_start;__libc_start_main;main;f', 2],
    ['main;f', 3],
    ['start_thread;g', 1],
  ]);
  assert.deepEqual(
    [...fromMain(walked)],
    [
      ['main;f', 5],
      ['start_thread;g', 1],
    ],
  );
});

test('main is found where perf names the function behind a call that does not return', () => {
  const frames = ['1 ServerLoop (/pg/postgres)', '2 startup_hacks (/pg/postgres)'];
  const stack = (...more: string[]) => ['7 1.0:', ...frames, ...more, ''].join('\n');
  const whole = folded(stack('3 __libc_start_call_main (/lib/libc.so.6)')).get(7) ?? new Map();
  assert.deepEqual([...whole.keys()], ['__libc_start_call_main;main;ServerLoop']);
  assert.equal(shareFromMain(whole), 1);
  const broken = folded(stack()).get(7) ?? new Map();
  assert.deepEqual([...broken.keys()], ['startup_hacks;ServerLoop']);
});

test('the output of perf script becomes stacks by process, outermost frame first', () => {
  const byPid = folded(SCRIPT);
  assert.deepEqual(
    [...(byPid.get(25017) ?? [])],
    [
      ['__libc_start_main;main;exec_simple_query;PageAddItemExtended', 2],
      ['main;operator:new(unsigned long)', 1],
    ],
  );
  assert.deepEqual(
    [...(byPid.get(25015) ?? [])],
    [
      ['[unknown];[libc.so.6];xfs_log_[k];iowrite16_[k]', 1],
      ['[no stack]', 1],
    ],
  );
});

test('samples from outside the window are left out', () => {
  const { byPid, lastNs } = fold(SCRIPT, 91_930_239_000, 91_940_239_123);
  const samples = [...byPid].map(([pid, stacks]) => [pid, [...stacks.values()]]);
  assert.deepEqual(
    new Map(samples as [number, number[]][]),
    new Map([
      [25015, [1]],
      [25017, [1]],
    ]),
  );
  assert.equal(lastNs, 91_940_239_123);
  assert.deepEqual(fold(SCRIPT, 0, 91_920_238_999), { byPid: new Map(), lastNs: null });
});

test('a window ends with what it is in, and is none that begins afterwards', () => {
  const window = { fromNs: 100, toNs: 200 };
  assert.deepEqual(cutAt(window, 300), window);
  assert.deepEqual(cutAt(window, 150), { fromNs: 100, toNs: 150 });
  assert.equal(cutAt(window, 100), null);
});

test('the share of samples that reach main tells whether frame pointers are enough', () => {
  assert.equal(
    shareFromMain(
      new Map([
        ['main;f', 3],
        ['[unknown];f', 1],
      ]),
    ),
    0.75,
  );
  assert.equal(shareFromMain(new Map([['domain;maintain', 3]])), 0);
  assert.equal(shareFromMain(new Map()), null);
});

test('folded text is read back as it was, and clients are added up', () => {
  const stacks = mergeStacks([
    new Map([['main;f a', 2]]),
    new Map([
      ['main;f a', 1],
      ['main', 4],
    ]),
  ]);
  assert.equal(foldedText(stacks), 'main 4\nmain;f a 3\n');
  assert.deepEqual(
    parseFolded(foldedText(stacks)),
    new Map([
      ['main', 4],
      ['main;f a', 3],
    ]),
  );
});

test('a recursive function counts once for each sample', () => {
  const shares = functionShares(
    new Map([
      ['main;f;f;g', 3],
      ['main;f', 1],
    ]),
  );
  assert.deepEqual(shares, [
    { name: 'g', self: 0.75, total: 0.75 },
    { name: 'f', self: 0.25, total: 1 },
    { name: 'main', self: 0, total: 1 },
  ]);
});

test('changes are between shares: twice the samples of the same work are no change', () => {
  const base = new Map([
    ['main;f', 30],
    ['main;g', 70],
  ]);
  const twice = new Map([
    ['main;f', 60],
    ['main;g', 140],
  ]);
  assert.ok(functionChanges(base, twice).every(({ change, z }) => change === 0 && z === 0));
  const now = new Map([
    ['main;f', 100],
    ['main;h', 100],
  ]);
  const changes = functionChanges(base, now);
  assert.deepEqual(
    changes.map(({ name, change }) => [name, Math.round(100 * change)]),
    [
      ['g', -70],
      ['h', 50],
      ['f', 20],
      ['main', 0],
    ],
  );
  // 30 of 100 and 100 of 200: pooled 130/300, so 0.2 / sqrt(0.4333 * 0.5667 * (1/100 + 1/200)) = 3.295.
  assert.equal(changes.find(({ name }) => name === 'f')?.z.toFixed(3), '3.295');
});

test('a tree has the frames of both profiles, each with the samples of both', () => {
  const tree = frameTree(
    new Map([
      ['main;f', 2],
      ['main', 1],
    ]),
    new Map([['main;g', 5]]),
  );
  assert.deepEqual(
    [...preOrder(tree)].map(({ name, depth, total, self, baseTotal }) => [
      name,
      depth,
      total,
      self,
      baseTotal,
    ]),
    [
      ['all', 0, 3, 0, 5],
      ['main', 1, 3, 1, 5],
      ['f', 2, 2, 2, 0],
      ['g', 2, 0, 0, 5],
    ],
  );
});

test('a window is in the middle of a step whose length shows while it runs', () => {
  const due = (elapsedS: number, share: number): boolean => isWindowDue(elapsedS, share, 10);
  assert.equal(due(44, 0.44), false);
  assert.equal(due(45, 0.45), true);
  assert.equal(due(0.5, 0.1), true, 'a step shorter than the window is profiled at once');
  assert.equal(due(0.1, 0.5), false, 'not before there is something to go by');
  assert.equal(due(3, 0), false);
});
