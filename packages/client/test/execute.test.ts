import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counter } from '@ibench/core';
import { BLOCK_BYTES, Recorder, viewBlock } from '@ibench/core/worker';
import { nowNs } from '../src/clock.ts';
import { DatabaseError } from '../src/driver/driver.ts';
import { askBefore, execute, isTooLate, type LoopContext, type Statement } from '../src/execute.ts';
import type { StepMemory } from '../src/step-memory.ts';

const S = 1e9;
const CANCELLED = new DatabaseError('canceling statement due to user request', '57014');

/** A step that began 10 s ago, and is over by its deadline or goes on. */
function stepOf({ isOver }: { readonly isOver: boolean }) {
  const startNs = nowNs() - 10 * S;
  const deadlineNs = startNs + (isOver ? 9 : 60) * S;
  const block = viewBlock(new ArrayBuffer(BLOCK_BYTES));
  const added = new Map<string, number>();
  const add = (name: string, amount: number): void => {
    added.set(name, (added.get(name) ?? 0) + amount);
  };
  const memory = { stopped: false, block, add } as unknown as StepMemory;
  const context: LoopContext = {
    memory,
    startNs,
    deadlineNs,
    recorder: new Recorder(block, startNs),
  };
  const slowestS = () => ({
    service: counter(block, 'serviceMax') / 1e7,
    response: counter(block, 'responseMax') / 1e7,
  });
  const waitedS = () => (added.get('waitServerNs') ?? 0) / S;
  return { context, deadlineNs, slowestS, block, waitedS };
}

function statementThat(receive: () => number): Statement {
  return { send: () => {}, receive };
}

const cancelled = statementThat(() => {
  throw CANCELLED;
});

describe('a statement that is cancelled when the step is over', () => {
  it('waited until the deadline by both clocks, and was no operation', () => {
    const { context, deadlineNs, slowestS, block, waitedS } = stepOf({ isOver: true });
    const since = { dueNs: deadlineNs - 5 * S, sentNs: deadlineNs - 2 * S };
    assert.throws(() => execute(context, cancelled, since), CANCELLED);
    assert.deepEqual(slowestS(), { service: 2, response: 5 });
    // It is a second since the deadline: for the server was waited longer than that.
    assert.ok(waitedS() >= 3, `${waitedS()} s`);
    assert.equal(counter(block, 'operations') + counter(block, 'responseCount'), 0);
  });

  it('has no response time where nothing was due', () => {
    const { context, deadlineNs, slowestS } = stepOf({ isOver: true });
    const since = { dueNs: 0, sentNs: deadlineNs - 2 * S };
    assert.throws(() => execute(context, cancelled, since), CANCELLED);
    assert.deepEqual(slowestS(), { service: 2, response: 0 });
  });

  it('is an error, and no wait, while the step goes on', () => {
    const { context, slowestS } = stepOf({ isOver: false });
    const since = { dueNs: context.startNs, sentNs: context.startNs };
    assert.throws(() => execute(context, cancelled, since), CANCELLED);
    assert.deepEqual(slowestS(), { service: 0, response: 0 });
  });
});

describe('a statement that cannot be sent before the step is over', () => {
  it('waited since it was due, by the clock that begins there', () => {
    const { context, deadlineNs, slowestS } = stepOf({ isOver: true });
    assert.equal(isTooLate(context, { dueNs: deadlineNs - 3 * S, sentNs: nowNs() }), true);
    assert.deepEqual(slowestS(), { service: 0, response: 3 });
  });

  it('is not too late a moment before', () => {
    const { context, deadlineNs, slowestS } = stepOf({ isOver: true });
    const since = { dueNs: deadlineNs - 3 * S, sentNs: deadlineNs - 1 };
    assert.equal(isTooLate(context, since), false);
    assert.deepEqual(slowestS(), { service: 0, response: 0 });
  });

  it('waited, too, when a query of the worker before it was cancelled', () => {
    const { context, deadlineNs, slowestS, waitedS } = stepOf({ isOver: true });
    const ask = () => cancelled.receive();
    assert.throws(() => askBefore(context, deadlineNs - 4 * S, ask), CANCELLED);
    assert.deepEqual(slowestS(), { service: 0, response: 4 });
    assert.ok(waitedS() > 0);
  });
});
