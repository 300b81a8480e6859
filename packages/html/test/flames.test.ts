import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Audit, RunProfile, RunRecord } from '@ibench/core';
import type { RunGroup } from '@ibench/report';
import { stepFlames } from '../src/flames.ts';
import type { Evidence } from '../src/rows.ts';

const INVALID: Audit = { name: 'settings', verdict: 'invalid', value: 1, bound: 0, reason: 'x' };

/** A row whose repeats did l.i1; those marked ! in an invalid way. */
function row(tag: string, ...repeats: readonly string[]): RunGroup {
  const runs = repeats.map((name) => ({
    runId: name.replace('!', ''),
    tag,
    steps: [
      {
        step: 'l.i1',
        status: 'done',
        metrics: { ips: 1 },
        audits: name.endsWith('!') ? [INVALID] : [],
      },
    ],
  }));
  return { label: tag, tag, runs: runs as unknown as RunRecord[] };
}

/** Each of these runs was profiled in l.i1 with that many samples by role. */
function evidence(samples: Readonly<Record<string, Readonly<Record<string, number>>>>): Evidence {
  const profiles = (runId: string, step: string): RunProfile[] =>
    Object.entries(step === 'l.i1' ? (samples[runId] ?? {}) : {}).map(([role, count]) => ({
      runId,
      tag: runId,
      step,
      client: 1,
      role,
      event: 'cycles',
      callGraph: 'fp',
      frequencyHz: 99,
      fromS: 1,
      toS: 2,
      stacks: new Map([['main', count]]),
    }));
  return { profiles } as Partial<Evidence> as Evidence;
}

function flames(rows: readonly RunGroup[], seen: Evidence, step = 'l.i1') {
  return stepFlames(rows, step, seen).map(({ role, graphs }) => [
    role,
    ...graphs.map(({ title, stacks, base }) => [title, stacks.get('main'), base?.get('main')]),
  ]);
}

test('a graph for each role and row, all but the base compared with it; repeats are added up', () => {
  const rows = [row('old', 'a1', 'a2'), row('new', 'b'), row('none', 'c')];
  const seen = evidence({ a1: { query: 1, insert: 10 }, a2: { insert: 20 }, b: { insert: 40 } });
  assert.deepEqual(flames(rows, seen), [
    ['insert', ['old', 30, undefined], ['new compared with old', 40, 30]],
    ['query', ['old', 1, undefined]],
  ]);
  assert.deepEqual(flames(rows, seen, 'l.i2'), []);
  assert.deepEqual(flames([], seen), []);
});

test('without a profile of the base the others stand for themselves', () => {
  const seen = evidence({ b: { delete: 40 } });
  assert.deepEqual(flames([row('old', 'a'), row('new', 'b')], seen), [
    ['delete', ['new', 40, undefined]],
  ]);
});

test('the profile of a step is that of the run that measured it', () => {
  const base = row('old', 'a');
  const [step] = base.runs[0]!.steps;
  const taken = { ...base.runs[0]!, runId: 'b', steps: [{ ...step!, inheritedFrom: 'a' }] };
  assert.deepEqual(flames([{ ...base, runs: [taken] }], evidence({ a: { delete: 3 } })), [
    ['delete', ['old', 3, undefined]],
  ]);
});

test('invalid repeats are left out; where there are no others, the graph says so', () => {
  const seen = evidence({ a: { delete: 1 }, b: { delete: 2 }, c: { delete: 4 } });
  assert.deepEqual(flames([row('old', 'a', 'b!'), row('new', 'c!')], seen), [
    ['delete', ['old', 1, undefined], ['⊘ invalid: new compared with old', 4, 1]],
  ]);
});
