/** The steps of the Insert Benchmark in the order they run (SPEC 3.2). */
export const STEP_NAMES = [
  'l.i0',
  'l.x',
  'l.i1',
  'l.i2',
  'settle',
  'qr100',
  'qp100',
  'qr500',
  'qp500',
  'qr1000',
  'qp1000',
] as const;

/** What a step does; every step of one kind runs the same code. */
export const STEP_KINDS = ['load', 'index', 'write', 'settle', 'read-write'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** The kinds of statement whose operations are counted and timed. */
export const STATEMENT_KINDS = ['insert', 'delete', 'query'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** What a worker process does; `pace` hands out work, the others execute statements. */
export const ROLES = ['pace', 'insert', 'delete', 'query'] as const;
export type Role = (typeof ROLES)[number];

/** How a run or a step ended; only numbers of `done` steps are reported. */
export const STATUSES = ['running', 'done', 'failed', 'interrupted', 'crashed'] as const;
export type Status = (typeof STATUSES)[number];

/** Does the step count queries (qr…, qp…) rather than inserts as its throughput? */
export function isQueryStep(step: string): boolean {
  return step.startsWith('q');
}
