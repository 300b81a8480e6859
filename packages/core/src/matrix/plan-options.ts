import { z } from 'zod';
import { DRIVERS } from '../load/driver.ts';
import { PIN_MODES } from '../load/pin.ts';
import {
  PLAN_ORDERS,
  type PlanAxes,
  type PlanFile,
  type PlanHostBounds,
  type PlanRunOptions,
} from './plan-file.ts';
import type { Problems } from './problem.ts';
import { checkKeys, isMap, readValue } from './read-map.ts';
import { checkProfileKeys, PROFILE_KEYS, profileChoice } from './read-profile.ts';
import { readReuse } from './read-reuse.ts';
import { parseDuration, parseSize } from './units.ts';
import { wholeNumber } from './whole-number.ts';

const duration = withUnit(
  parseDuration,
  'expected a duration with its unit, such as 30s, 90m, 6h or 1h30m',
);
const size = withUnit(
  parseSize,
  'expected a size with its unit (kB, MB, GB, TB), such as 512MB or 20GB',
);
const flag = z.boolean({ error: 'expected true or false' });
const text = z.string({ error: 'expected a text' }).min(1, { error: 'expected a text' });

const order = z.object({
  kind: z.enum(PLAN_ORDERS, { error: `expected ${PLAN_ORDERS.join(', ')}` }),
  seed: wholeNumber(0, 2 ** 32 - 1).default(1),
});

const host = z.object({
  max_load: z
    .number({ error: 'expected a number above zero' })
    .positive({ error: 'expected a number above zero' })
    .optional(),
  min_free_disk: size.optional(),
  allow_other_postgres: flag.default(false),
  wait: duration.prefault('2m'),
  when_busy: z.enum(['warn', 'fail'], { error: 'expected warn or fail' }).default('warn'),
});

const run = z.object({
  driver: z.enum(DRIVERS, { error: `expected ${DRIVERS.join(' or ')}` }).default(DRIVERS[0]),
  libpq: text.optional(),
  spin: flag.default(false),
  pin: z.enum(PIN_MODES, { error: `expected ${PIN_MODES.join(', ')}` }).default(PIN_MODES[0]),
  keep_data: flag.default(false),
  data_dir: text.optional(),
  server_user: text.optional(),
  devices: z.array(text, { error: 'expected a list of block devices' }).default([]),
  allow_debug_build: flag.default(false),
  ...PROFILE_KEYS,
});

const NESTED = { order, host, run } as const;
const schema = z.object({
  name: z.string({ error: 'expected a name' }).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/, {
    error: 'expected 1 to 80 letters, digits and . _ -, the first a letter or digit',
  }),
  description: text.optional(),
  repeats: wholeNumber(1, 1000),
  order: order.prefault({ kind: 'interleaved' }),
  budget: duration
    .refine((seconds) => seconds > 0, { error: 'expected a duration above zero' })
    .optional(),
  cooldown: duration.prefault('0s'),
  retries: z.union([z.literal(0), z.literal(1)], { error: 'expected 0 or 1' }).default(0),
  host: host.prefault({}),
  run: run.prefault({}),
});

/** Keys of a plan that do not concern its matrix. */
export const OPTION_KEYS: readonly string[] = [...Object.keys(schema.shape), 'reuse'];

type Input = Readonly<Record<string, unknown>>;

/** A plan without what concerns its matrix. */
export type PlanOptions = Omit<PlanFile, keyof PlanAxes | 'excludes' | 'base'>;

/**
 * Reads all of a plan but its matrix.
 *
 * @returns undefined when there are problems, which are collected, or a required key is missing
 */
export function readOptions(
  value: Input,
  resolvePath: (path: string) => string,
  problems: Problems,
): PlanOptions | undefined {
  const reuse = readReuse(value.reuse, problems);
  const { order } = value;
  const areKnown = checkNestedKeys(value, problems);
  checkProfileKeys(value.run, problems);
  const input = { ...value, order: typeof order === 'string' ? { kind: order } : order };
  const read = readValue(schema, input, [], problems);
  if (read === undefined || !areKnown) return undefined;
  return {
    name: read.name,
    description: read.description ?? null,
    repeats: read.repeats,
    order: read.order,
    budgetSeconds: read.budget ?? null,
    cooldownSeconds: read.cooldown,
    retries: read.retries,
    reuse,
    host: hostBounds(read.host),
    run: runOptions(read.run, resolvePath),
  };
}

function checkNestedKeys(value: Input, problems: Problems): boolean {
  return Object.entries(NESTED)
    .map(([key, { shape }]) => {
      const inner = value[key];
      return !isMap(inner) || checkKeys(inner, Object.keys(shape), [key], problems);
    })
    .every(Boolean);
}

function hostBounds(read: z.infer<typeof host>): PlanHostBounds {
  return {
    maxLoad: read.max_load ?? null,
    minFreeDisk: read.min_free_disk ?? null,
    allowOtherPostgres: read.allow_other_postgres,
    waitSeconds: read.wait,
    whenBusy: read.when_busy,
  };
}

function runOptions(
  read: z.infer<typeof run>,
  resolvePath: (path: string) => string,
): PlanRunOptions {
  const resolve = (path: string | undefined) => (path === undefined ? null : resolvePath(path));
  return {
    driver: read.driver,
    libpq: resolve(read.libpq),
    spin: read.spin,
    pin: read.pin,
    keepData: read.keep_data,
    dataDir: resolve(read.data_dir),
    serverUser: read.server_user ?? null,
    devices: read.devices,
    allowDebugBuild: read.allow_debug_build,
    profile: profileChoice(read),
  };
}

/** A text with a number and a unit. */
function withUnit(parse: (text: string) => number | null, error: string) {
  return z.string({ error }).transform((text, context) => {
    const parsed = parse(text);
    if (parsed === null) context.addIssue({ code: 'custom', message: error });
    return parsed ?? 0;
  });
}
