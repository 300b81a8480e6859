import {
  type Audit,
  postgresDialect,
  RunError,
  rowsAfter,
  type StepPlan,
  type StepResult,
  stepMetrics,
  summariseTimes,
  type TableOptions,
  tableNames,
  type Workload,
} from '@ibench/core';
import { addWarning, failStep, finishStep, savePlan, startStep } from '@ibench/store';
import { SchemaWatch } from './audit-schema.ts';
import { StateWatch } from './audit-state.ts';
import { type CheckedRows, checkRows } from './check-rows.ts';
import { Interrupted, type RunContext } from './context.ts';
import { guarded, messageOf, StepFailure } from './failure.ts';
import { runLoadStep } from './load-step.ts';
import { runIndexStep, runSettleStep } from './maintenance-step.ts';

/** Steps of a run that one server runs. */
export interface StepRange {
  /** What its data has seen already; none: the tables are made first. */
  readonly before: readonly StepPlan[];
  readonly steps: readonly StepPlan[];
}

/**
 * Runs steps in order. Each is saved before the next starts; the first that fails ends the run.
 *
 * @throws whatever ended the step, which is marked in the store by then
 */
export async function runSteps(context: RunContext, { before, steps }: StepRange): Promise<void> {
  const { server, workload } = context;
  const options = tableOptions(workload);
  if (before.length === 0) {
    await guarded(server.createTables(tableNames(workload), options), context);
  }
  const rows = rowsAfter(workload, before);
  const watch = new StateWatch(await guarded(server.state(), context));
  const isIndexed = before.some(({ kind }) => kind === 'index');
  const schema = new SchemaWatch(tableNames(workload), options, isIndexed);
  for (const step of steps) {
    await runStep(context, step, { options, rows, watch, schema });
  }
}

/** What a step needs to know of those before it. */
interface Before {
  /** Knows the server since the run began. */
  readonly watch: StateWatch;
  readonly schema: SchemaWatch;
  readonly options: TableOptions;
  /** Rows of each table, as far as they are known; kept up to date by every step. */
  readonly rows: Map<string, number>;
}

async function runStep(context: RunContext, step: StepPlan, before: Before): Promise<void> {
  const { store, runKey, server, log, progress } = context;
  const { seq, name, kind } = step;
  const startedAt = now();
  const stepKey = startStep(store, runKey, { seq, step: name, kind, startedAt });
  log.info({ step: name }, 'step starts');
  try {
    await guarded(context.canary?.take('step', stepKey) ?? Promise.resolve(), context);
    if (step.queries !== null) await keepPlans(context, step, stepKey);
    before.watch.look(`at the begin of ${name}`, await guarded(server.state(), context));
    const raw = await execute(context, step, stepKey, before.options);
    await guarded(server.checkNotRestarted(), context);
    const tableRows = await guarded(
      checkRows(server, context.workload, step, { result: raw, before: before.rows }),
      context,
    );
    for (const { table, expected } of tableRows) before.rows.set(table, expected);
    const indexes = await guarded(server.indexes(tableNames(context.workload)), context);
    const result: StepResult = {
      ...raw,
      tables: tableRows.map((one) => ({ table: one.table, before: one.before, after: one.after })),
      audits: [
        ...raw.audits,
        rowsAudit(tableRows),
        before.schema.end({ name, builds: kind === 'index' }, indexes),
        ...before.watch.end(name, await guarded(server.state(), context)),
      ],
    };
    const metrics = stepMetrics(name, kind, result);
    warnOfRows(context, stepKey, metrics.rows_per_query);
    const times = summariseTimes(result.workers);
    finishStep(store, stepKey, { finishedAt: now(), result, metrics, times });
    log.info(
      { step: name, seconds: metrics.seconds, ips: metrics.ips, qps: metrics.qps },
      'step done',
    );
    progress.line(describeDone(name, metrics));
    for (const { verdict, reason } of result.audits) {
      if (verdict === 'invalid') progress.line(`  ${name.padEnd(7)}  invalid: ${reason}`);
    }
  } catch (error) {
    markStep(context, stepKey, name, error);
    if (isInterrupted(error)) throw error;
    throw new RunError(`${name}: ${messageOf(error)}`, { cause: error, sqlstate: stateOf(error) });
  }
}

/** Tells the store how a step ended that is not done; the store may be what failed. */
function markStep(
  { store, log, progress }: RunContext,
  stepKey: number,
  name: string,
  error: unknown,
): void {
  const status = isInterrupted(error) ? 'interrupted' : 'failed';
  log.error({ step: name, err: error }, `step ${status}`);
  progress.line(`  ${name.padEnd(7)}  ${status}`);
  try {
    failStep(store, stepKey, {
      status,
      message: messageOf(error),
      sqlstate: stateOf(error),
      finishedAt: now(),
      result: error instanceof StepFailure ? error.partial : undefined,
    });
  } catch (unmarked) {
    log.error({ step: name, err: unmarked }, `the store could not be told that the step ${status}`);
  }
}

function stateOf(error: unknown): string | undefined {
  return error instanceof RunError ? error.sqlstate : undefined;
}

function execute(
  context: RunContext,
  step: StepPlan,
  stepKey: number,
  options: TableOptions,
): Promise<StepResult> {
  switch (step.kind) {
    case 'load':
    case 'write':
    case 'read-write':
      return runLoadStep(context, step, stepKey);
    case 'index':
      return runIndexStep(context, step, stepKey, options);
    case 'settle':
      return runSettleStep(context, step, stepKey);
    default: {
      const never: never = step.kind;
      return never;
    }
  }
}

/** Plans of the step's queries, asked for before it starts; a range query that is not covered is a warning. */
async function keepPlans(context: RunContext, step: StepPlan, stepKey: number): Promise<void> {
  const { server, store, workload } = context;
  const table = 'pi1';
  const queries =
    step.queries === 'range'
      ? postgresDialect.rangeQueries(table, workload)
      : [postgresDialect.pointQuery(table)];
  const plans = await guarded(server.explain(queries, table), context);
  for (const { statement, text } of plans) {
    savePlan(store, stepKey, statement, text);
    if (step.queries === 'range' && !text.includes('Index Only Scan')) {
      addWarning(store, stepKey, `the range query ${statement} is not an index-only scan`);
    }
  }
}

/** For the record: a step whose rows do not add up has failed. */
function rowsAudit(tables: readonly CheckedRows[]): Audit {
  const counted = tables.filter(({ after }) => after !== null).length;
  return {
    name: 'rows',
    verdict: 'ok',
    value: counted,
    bound: tables.length,
    reason: `rows before + inserted − deleted are what ${counted} of ${tables.length} tables hold; the others are too large to be counted`,
  };
}

/** Rows that a query should fetch, and how far from it the mean may be before it is worth a word (SPEC 3.3). */
const ROWS_PER_QUERY = 10;
const ROWS_TOLERANCE = 0.5;

function warnOfRows({ store }: RunContext, stepKey: number, rows: number | null): void {
  if (rows === null || Math.abs(rows - ROWS_PER_QUERY) <= ROWS_TOLERANCE) return;
  addWarning(
    store,
    stepKey,
    `${rows.toFixed(2)} rows per query instead of ${ROWS_PER_QUERY}: many queries asked for rows that are not there; in a small table gaps in the ids are the reason`,
  );
}

/** Did the user end it, rather than a fault? */
export function isInterrupted(error: unknown): boolean {
  return (
    error instanceof Interrupted || (error instanceof StepFailure && isInterrupted(error.cause))
  );
}

function tableOptions(workload: Workload): TableOptions {
  const readWrite = 2 * (100 + 500 + 1000) * workload.read_write_seconds;
  const { secondary_indexes, partitions, rows, l_i1_rows, l_i2_rows } = workload;
  return { secondary_indexes, partitions, expectedRows: rows + l_i1_rows + l_i2_rows + readWrite };
}

function describeDone(name: string, { seconds, ips, qps }: ReturnType<typeof stepMetrics>): string {
  const rate = (value: number | null, unit: string): string =>
    value === null ? '' : `  ${Math.round(value).toLocaleString('en-US').padStart(9)} ${unit}`;
  const unit = name === 'l.x' ? 'rows indexed/s' : 'inserts/s';
  return `  ${name.padEnd(7)}  ${seconds.toFixed(1).padStart(6)} s${rate(qps, 'queries/s')}${rate(ips, unit)}`;
}

function now(): string {
  return new Date().toISOString();
}
