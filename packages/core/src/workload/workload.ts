import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { QUEUE_STATEMENTS } from '../load/queue-limit.ts';
import { INSERT_METHODS } from './dialect.ts';

const count = (min: number, max = Number.MAX_SAFE_INTEGER) => z.number().int().min(min).max(max);

/**
 * Every parameter of the Insert Benchmark, with its default. This object is the only place where a
 * default lives; names are those of workload files, of `--set` and of the store.
 */
const schema = z.strictObject({
  /** Simulated users. */
  clients: count(1, 1000).default(1).describe('simulated users'),
  /** One table per client, or one shared by all (only without deletes). */
  tables: z
    .enum(['per-client', 'shared'])
    .default('per-client')
    .describe('one table per client, or one shared table (needs deletes=false)'),
  /** Run a delete for every insert from l.i1 on, so that tables keep their size. */
  deletes: z.boolean().default(true).describe('delete as many rows as are inserted from l.i1 on'),
  rows: count(1).default(500_000).describe('X: rows per table loaded by l.i0'),
  l_i1_rows: count(1).default(100_000).describe('Y: rows per table inserted, and deleted, by l.i1'),
  l_i2_rows: count(1).default(20_000).describe('Z: rows per table inserted, and deleted, by l.i2'),
  read_write_seconds: count(1, 7 * 86_400)
    .default(10)
    .describe('T: length of each of qr100 … qp1000, seconds'),
  settle_seconds: count(0, 86_400)
    .nullable()
    .default(null)
    .describe('S: length of settle, seconds; null: min(60 + rows loaded / 1,000,000, 1200)'),
  l_i0_rows_per_commit: count(1, 10_000).default(100).describe('rows per statement in l.i0'),
  l_i1_rows_per_commit: count(1, 10_000).default(50).describe('rows per statement in l.i1'),
  l_i2_rows_per_commit: count(1, 10_000).default(5).describe('rows per statement in l.i2'),
  read_write_rows_per_commit: count(1, 10_000)
    .default(50)
    .describe(
      'rows per background statement in qr100 … qp1000; shrinks to the rate where that is lower',
    ),
  pacing: z
    .enum(['even', 'burst'])
    .default('even')
    .describe(
      "when background statements are due: evenly, or all of a second at its start (the original tool's way)",
    ),
  queriers: count(1, 100).default(1).describe('query processes per client'),
  secondary_indexes: count(0, 3).default(3).describe('secondary indexes created by l.x'),
  partitions: count(0, 1000)
    .default(0)
    .describe('range partitions by transactionid; 0: a plain table'),
  cash_registers: count(1, 2 ** 31 - 1)
    .default(1000)
    .describe('cardinality of cashregisterid'),
  customers: count(1, 2 ** 31 - 1)
    .default(100_000)
    .describe('cardinality of customerid'),
  products: count(1, 2 ** 31 - 1)
    .default(10_000)
    .describe('cardinality of productid'),
  prices: count(1, 2 ** 31 - 1)
    .default(500)
    .describe('cardinality of price'),
  data_length_min: count(0, 4000).default(10).describe('shortest value of data, characters'),
  data_length_max: count(0, 4000).default(20).describe('longest value of data, characters'),
  data_random_share: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('share of data that is random; the rest is one repeated letter'),
  insert_method: z
    .enum(INSERT_METHODS)
    .default('values')
    .describe(
      'how rows are inserted: values (published), prepared, unnest, copy, singleton, pipeline',
    ),
  copy_format: z.enum(['binary', 'text']).default('binary').describe('format of the copy method'),
  prepared_deletes: z
    .boolean()
    .default(false)
    .describe('send deletes as a prepared statement (hides planning)'),
  prepared_queries: z.boolean().default(true).describe('send queries as prepared statements'),
  getmin_statements: count(1)
    .default(1000)
    .describe('R: deletes between two readings of min(transactionid)'),
  getmax_queries: count(1)
    .default(100)
    .describe('point queries between two readings of max(transactionid)'),
  sample_interval: z
    .union([z.literal(1), z.literal(2), z.literal(5)], { error: 'expected 1, 2 or 5' })
    .default(1)
    .describe('interval of vmstat and iostat: 1, 2 or 5 seconds'),
  count_rows_up_to: count(0)
    .default(10_000_000)
    .describe(
      'tables up to this many rows are counted after every step; larger ones are checked by what the statements changed',
    ),
  seed: count(0, 2 ** 32 - 1)
    .default(1)
    .describe('same seed, same rows'),
});

/** A workload: every parameter decided, frozen. */
export type Workload = Readonly<z.infer<typeof schema>>;

/** Names of all workload parameters in the order of the documentation. */
export const WORKLOAD_PARAMETERS: readonly (keyof Workload)[] = schema.keyof().options.slice();

/** One line per parameter for `--help` and the docs: name, default, meaning. */
export function describeWorkload(): readonly { name: string; fallback: string; meaning: string }[] {
  const defaults = parseWorkload({}, 'defaults');
  return WORKLOAD_PARAMETERS.map((name) => ({
    name,
    fallback: String(defaults[name]),
    meaning: schema.shape[name].description ?? '',
  }));
}

/**
 * Checks and completes a workload.
 *
 * @param input parameters by name, as read from a file and `--set`; missing ones take their default
 * @param origin where they come from, for messages
 * @throws UsageError with the parameter's name, what was expected and what came
 */
export function parseWorkload(input: unknown, origin: string): Workload {
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    throw new UsageError(
      `${origin}: ${parsed.error.issues.map((i) => explain(i, input)).join('; ')}`,
    );
  }
  checkTogether(parsed.data, origin);
  return Object.freeze(parsed.data);
}

function explain(issue: z.core.$ZodIssue, input: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `unknown parameter "${key}"${suggest(key)}`).join('; ');
  }
  const name = issue.path.join('.');
  if (name === '') return `expected a list of name: value pairs, got ${JSON.stringify(input)}`;
  const value = (input as Record<string, unknown>)[name];
  const expected = issue.message.replace(/^Invalid input: /, '').replace(/, received \w+$/, '');
  const got = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return `${name}: ${expected}, got ${got}`;
}

/** What is wrong with the value of a parameter, taken by itself; null when nothing is. */
export function explainParameter(name: keyof Workload, value: unknown): string | null {
  const parsed = schema.shape[name].safeParse(value);
  if (parsed.success) return null;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [name] }));
  return issues.map((issue) => explain(issue, { [name]: value })).join('; ');
}

function suggest(key: string): string {
  const near = nearest(key, WORKLOAD_PARAMETERS);
  return near === null
    ? ` (known: ${WORKLOAD_PARAMETERS.join(', ')})`
    : `, did you mean "${near}"?`;
}

/** The known name closest to a mistyped one, or null where none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const normal = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const scored = known
    .map((name) => ({ name, distance: editDistance(normal(word), normal(name)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = scored[0];
  return best !== undefined && best.distance <= Math.max(2, word.length / 3) ? best.name : null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

function checkTogether(w: Workload, origin: string): void {
  if (w.data_length_max < w.data_length_min) {
    throw new UsageError(
      `${origin}: data_length_max (${w.data_length_max}) is less than data_length_min (${w.data_length_min})`,
    );
  }
  if (w.tables === 'shared' && w.deletes) {
    throw new UsageError(
      `${origin}: tables=shared needs deletes=false: deletes are only paired with the inserts of a table of one's own`,
    );
  }
  if (w.deletes) {
    const largest = Math.max(
      w.l_i1_rows_per_commit,
      w.l_i2_rows_per_commit,
      w.read_write_rows_per_commit,
    );
    const needed = largest * (QUEUE_STATEMENTS + 1);
    if (w.rows < needed) {
      throw new UsageError(
        `${origin}: rows (${w.rows}) must be at least ${needed}: deletes can be ${QUEUE_STATEMENTS} statements of ${largest} rows ahead of inserts`,
      );
    }
  }
}
