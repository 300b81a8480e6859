import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunProfile } from '@ibench/core';
import { graphOf, groupName, groupProfiles, headline, sameGroup } from '../src/index.ts';

function profile(changes: Partial<RunProfile>): RunProfile {
  return {
    runId: 'run-1',
    tag: 'pg17',
    step: 'l.i1',
    client: 1,
    role: 'delete',
    event: 'cycles',
    callGraph: 'fp',
    frequencyHz: 99,
    fromS: 3.04,
    toS: 13.06,
    stacks: new Map([['main;f', 200]]),
    ...changes,
  };
}

test('profiles are grouped by step and role, and found again in another run', () => {
  const ours = groupProfiles([
    profile({ role: 'insert' }),
    profile({}),
    profile({ client: 2 }),
    profile({ step: 'l.i2' }),
  ]);
  assert.deepEqual(ours.map(groupName), ['l.i1 insert', 'l.i1 delete', 'l.i2 delete']);
  const [insert, deletes, later] = ours;
  assert.equal(deletes!.length, 2);
  const theirs = groupProfiles([profile({ tag: 'pg18' }), profile({ tag: 'pg18', step: 'l.i2' })]);
  assert.equal(sameGroup(theirs, deletes!), theirs[0]);
  assert.equal(sameGroup(theirs, later!), theirs[1]);
  assert.equal(sameGroup(theirs, insert!), null);
});

test('clients and repeats are added up, and each run is told of', () => {
  const [group] = groupProfiles([
    profile({}),
    profile({ client: 2, stacks: new Map([['main;g', 100]]) }),
    profile({ runId: 'run-2' }),
  ]);
  const { stacks, base, notes } = graphOf('deletes', group!, null);
  assert.deepEqual(
    [...stacks],
    [
      ['main;f', 400],
      ['main;g', 100],
    ],
  );
  assert.equal(base, null);
  assert.deepEqual(notes, [
    'pg17 (run-1), 2 clients: 300 samples of cycles at 99 Hz from second 3.0 to 13.1 of the step, stacks by fp',
    'pg17 (run-2), client 1: 200 samples of cycles at 99 Hz from second 3.0 to 13.1 of the step, stacks by fp',
  ]);
});

test('few samples, and two sides that were not sampled alike, are told of', () => {
  const [base] = groupProfiles([profile({})]);
  const [same] = groupProfiles([profile({ tag: 'pg18', stacks: new Map([['main;f', 900]]) })]);
  const [unlike] = groupProfiles([
    profile({ tag: 'pg18', event: 'cpu-clock', callGraph: 'dwarf' }),
  ]);
  const added = (group: typeof base) =>
    graphOf('x', group!, base!).notes.filter((note) => !note.includes(' of the step, '));
  assert.deepEqual(added(same), ['pg17: few samples (200), so that small shares are chance']);
  assert.deepEqual(added(unlike), [
    'pg18: few samples (200), so that small shares are chance',
    'pg17: few samples (200), so that small shares are chance',
    'not sampled alike (cpu-clock, dwarf; the base: cycles, fp): part of the difference comes from that',
  ]);
});

test('the headline has the samples and what stands out of chance', () => {
  const stacks = new Map([
    ['main;f', 1000],
    ['main;g', 500],
  ]);
  const line = (base: ReadonlyMap<string, number> | null) => headline({ stacks, base });
  assert.equal(line(null), '1,500 samples, most in f: 66.67%');
  assert.equal(line(stacks), '1,500 samples, no clear change');
  const before = new Map([
    ['main;f', 100],
    ['main;h', 100],
  ]);
  assert.equal(line(before), '1,500 samples, most changed h: -50.00 points');
  assert.equal(headline({ stacks: new Map(), base: null }), '0 samples');
});
