import { nowNs } from './clock.ts';
import { DatabaseError } from './driver/driver.ts';
import type { StepMemory } from './step-memory.ts';

const RETRIED = new Set(['40001', '40P01']);
const CANCELLED = '57014';

/** A statement that the runner cancelled because the step is over: not run, and not an error. */
export function isCancelledAtEnd(error: unknown, memory: StepMemory, deadlineNs: number): boolean {
  const cancelled = error instanceof DatabaseError && error.sqlstate === CANCELLED;
  return cancelled && (memory.stopped || nowNs() >= deadlineNs);
}

/** What a loop needs around its statements. */
export interface LoopContext {
  readonly memory: StepMemory;
  readonly startNs: number;
  /** +Infinity for a step that ends when its rows are done. */
  readonly deadlineNs: number;
}

/** Something to send and to wait for. */
export interface Statement {
  readonly send: () => void;
  /** Waits for the answer: rows changed or returned. */
  readonly receive: () => number;
}

/**
 * Sends a statement and waits for its answer; a serialization failure or deadlock is counted and the
 * statement sent again.
 *
 * @param meanwhile what to do while the server works (the first time it is sent)
 * @returns rows changed or returned
 * @throws DatabaseError for every other error, a cancelled statement included
 */
export function execute(
  { memory }: LoopContext,
  statement: Statement,
  meanwhile: () => void = nothing,
): number {
  statement.send();
  meanwhile();
  for (;;) {
    try {
      return statement.receive();
    } catch (error) {
      if (!(error instanceof DatabaseError && RETRIED.has(error.sqlstate ?? ''))) throw error;
      memory.add('retries', 1);
      statement.send();
    }
  }
}

function nothing(): void {}
