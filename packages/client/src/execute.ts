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

function isOver({ memory, deadlineNs }: Until): boolean {
  return memory.stopped || nowNs() >= deadlineNs;
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

/**
 * Sends a statement and waits for its answer; a serialization failure or deadlock is counted and the
 * statement sent again, unless the step is over: then the time until then is recorded.
 *
 * @param meanwhile what to do while the server works (the first time it is sent)
 * @returns rows changed or returned
 * @throws DatabaseError for every other error, a cancelled statement included
 */
export function execute(
  context: LoopContext,
  statement: Statement,
  sentNs: number,
  meanwhile: () => void = nothing,
): number {
  try {
    return send(context, statement, meanwhile);
  } catch (error) {
    if (isEndOfStep(error, context)) {
      context.recorder.recordUnfinished(sentNs, Math.min(nowNs(), context.deadlineNs));
    }
    throw error;
  }
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
