import type { Recorder } from '@ibench/core/worker';
import { nowNs } from './clock.ts';
import { DatabaseError } from './driver/driver.ts';
import type { StepMemory } from './step-memory.ts';

const RETRIED = new Set(['40001', '40P01']);
const CANCELLED = '57014';

/**
 * A statement that was not done because the step is over, which is no error: the runner cancelled it, or
 * it would have to be sent again.
 */
export function isEndOfStep(error: unknown, context: Until): boolean {
  return (isRetried(error) || stateOf(error) === CANCELLED) && isOver(context);
}

function isRetried(error: unknown): boolean {
  return RETRIED.has(stateOf(error) ?? '');
}

function stateOf(error: unknown): string | null {
  return error instanceof DatabaseError ? error.sqlstate : null;
}

/** What ends a loop. */
export interface Until {
  readonly memory: StepMemory;
  /** +Infinity for a step that ends when its rows are done. */
  readonly deadlineNs: number;
}

function isOver({ memory, deadlineNs }: Until, atNs = nowNs()): boolean {
  return memory.stopped || atNs >= deadlineNs;
}

/** What a loop needs around its statements. */
export interface LoopContext extends Until {
  readonly startNs: number;
  readonly recorder: Recorder;
}

/** Something to send and to wait for. */
export interface Statement {
  readonly send: () => void;
  /** Waits for the answer: rows changed or returned. */
  readonly receive: () => number;
}

/** Since when a statement is waited for, CLOCK_MONOTONIC ns. */
export interface Since {
  readonly sentNs: number;
  /** 0: it was not due at any time. */
  readonly dueNs: number;
}

/**
 * Is the step over before a statement in hand can be sent? Then its wait since it was due is recorded: an
 * earlier one, or a query of the worker's own, took the time that was left.
 */
export function isTooLate(context: LoopContext, { sentNs, dueNs }: Since): boolean {
  if (!isOver(context, sentNs)) return false;
  recordWait(context, dueNs);
  return true;
}

/**
 * A query that the worker makes for itself before it can send a statement that was due at `dueNs`; it
 * waits for the server meanwhile. When the step ends in it, the wait of that statement is recorded.
 */
export function askBefore<T>(context: LoopContext, dueNs: number, ask: () => T): T {
  const askedNs = nowNs();
  try {
    return ask();
  } catch (error) {
    if (isEndOfStep(error, context)) recordWait(context, dueNs);
    throw error;
  } finally {
    context.memory.add('waitServerNs', nowNs() - askedNs);
  }
}

/**
 * Sends a statement and waits for its answer; a serialization failure or deadlock is counted and the
 * statement sent again, unless the step is over: then the time until then is recorded by both clocks, and
 * all of it, until the server said so, as waiting for the server.
 *
 * @param meanwhile what to do while the server works (the first time it is sent)
 * @returns rows changed or returned
 * @throws DatabaseError for every other error, a cancelled statement included
 */
export function execute(
  context: LoopContext,
  statement: Statement,
  { sentNs, dueNs }: Since,
  meanwhile: () => void = nothing,
): number {
  try {
    return send(context, statement, meanwhile);
  } catch (error) {
    if (isEndOfStep(error, context)) {
      context.memory.add('waitServerNs', nowNs() - sentNs);
      context.recorder.recordUnfinished(sentNs, overNs(context));
      recordWait(context, dueNs);
    }
    throw error;
  }
}

function recordWait(context: LoopContext, dueNs: number): void {
  if (dueNs > 0) context.recorder.recordUnfinishedResponse(dueNs, overNs(context));
}

/** When the step was over. */
function overNs({ deadlineNs }: Until): number {
  return Math.min(nowNs(), deadlineNs);
}

function send(context: LoopContext, statement: Statement, meanwhile: () => void): number {
  statement.send();
  meanwhile();
  for (;;) {
    try {
      return statement.receive();
    } catch (error) {
      if (!isRetried(error) || isOver(context)) throw error;
      context.memory.add('retries', 1);
      statement.send();
    }
  }
}

function nothing(): void {}
