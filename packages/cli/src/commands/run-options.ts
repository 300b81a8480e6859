import { DRIVERS, PIN_MODES } from '@ibench/core';
import type { ArgumentsCamelCase, InferredOptionTypes, Options } from 'yargs';
import { namesIn, RUNS, STORE_NAME, WORKLOADS } from '../paths.ts';
import { PROFILE_OPTIONS } from '../profile-options.ts';
import { LIMIT_OPTIONS } from './limits.ts';

/** Seconds between two samples of what the server's backends do. */
export const ACTIVITY_INTERVAL_S = 1;

/** Options of every command that reads or writes a store. */
export const STORE_OPTIONS = {
  db: { type: 'string', describe: `SQLite file (default: ${STORE_NAME} in --runs-dir)` },
  'runs-dir': {
    type: 'string',
    default: RUNS,
    defaultDescription: 'runs/ in the clone',
    describe: 'folder for logs and raw output',
  },
} as const satisfies Record<string, Options>;

/** Options of every command that looks for builds. */
export const BUILDS_OPTIONS = {
  'builds-dir': {
    type: 'string',
    describe:
      'folder of the registered builds (default: IBENCH_BUILDS, else ~/.local/share/ibench/builds)',
  },
} as const satisfies Record<string, Options>;

const WORKLOAD_OPTIONS = {
  preset: {
    type: 'string',
    describe: `workload by name (default: quick): ${namesIn(WORKLOADS, '.yaml').join(', ')}`,
  },
  workload: { type: 'string', describe: 'workload file (YAML), instead of a preset' },
  set: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'change a workload parameter: name=value (repeatable)',
  },
  clients: {
    type: 'number',
    requiresArg: true,
    describe: 'number of clients, short for --set clients=N',
  },
  queriers: {
    type: 'number',
    requiresArg: true,
    describe: 'query processes of each client, short for --set queriers=N',
  },
} as const satisfies Record<string, Options>;

const SERVER_OPTIONS = {
  build: {
    type: 'string',
    describe:
      'embedded (default), a registered build (ibench builds list), or a directory with bin/postgres',
  },
  'allow-debug-build': {
    type: 'boolean',
    default: false,
    describe:
      'run a build with assertions or without optimisation; its label says so in all tables',
  },
  ...BUILDS_OPTIONS,
  config: {
    type: 'string',
    describe:
      'configuration by name (default: base; `ibench configs list` shows all), or a .conf file',
  },
  'data-dir': {
    type: 'string',
    describe: "folder to make for the server's data (default: in the run's folder)",
  },
  'keep-data': {
    type: 'boolean',
    default: false,
    describe: "keep the server's data after the run",
  },
  listen: { type: 'number', requiresArg: true, describe: 'also listen on this port of 127.0.0.1' },
  'server-user': {
    type: 'string',
    describe: 'when root: user that the server runs as (default: postgres, else nobody)',
  },
  server: {
    type: 'string',
    describe:
      'use a server that runs already: postgres://user@host:port/database, or name=value pairs; the password is better in PGPASSWORD',
  },
  'server-ssh': {
    type: 'string',
    describe: "with --server: read the CPU, memory and disks of the server's host over ssh",
  },
  'drop-tables': {
    type: 'boolean',
    default: false,
    describe: 'with --server: drop tables pi1, pi2 … even if ibench did not make them',
  },
  'keep-tables': {
    type: 'boolean',
    default: false,
    describe: 'with --server: leave the tables after the run',
  },
  device: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'block device to measure, such as nvme0n1 (default: those under the data)',
  },
} as const satisfies Record<string, Options>;

/** What makes numbers incomparable with others is part of the label in tables: driver, spin and pin. */
const LOAD_OPTIONS = {
  driver: {
    choices: DRIVERS,
    default: DRIVERS[0],
    describe: 'client library of the load generator; postgres.js is for hosts without libpq',
  },
  libpq: {
    type: 'string',
    describe: 'file of libpq (default: the embedded one, whatever the build)',
  },
  spin: {
    type: 'boolean',
    default: false,
    describe:
      'the load generator polls instead of sleeping (needs a core to spare for each worker)',
  },
  pin: {
    choices: PIN_MODES,
    default: PIN_MODES[0],
    describe: 'bind each worker and its backend to the same CPU, or to two neighbouring ones',
  },
} as const satisfies Record<string, Options>;

/** Options of every command that runs benchmarks. */
export const RUNNER_OPTIONS = {
  'allow-concurrent': {
    type: 'boolean',
    default: false,
    describe:
      'start even if another runner works on this host; each disturbs the numbers of the other',
  },
} as const satisfies Record<string, Options>;

const SAMPLING_OPTIONS = {
  'activity-interval': {
    type: 'number',
    requiresArg: true,
    default: ACTIVITY_INTERVAL_S,
    describe:
      'seconds between samples of who is active in the server, what for they wait and their CPU; 0: none',
  },
} as const satisfies Record<string, Options>;

/** Options of `ibench run`. */
export const RUN_OPTIONS = {
  ...WORKLOAD_OPTIONS,
  ...SERVER_OPTIONS,
  ...LOAD_OPTIONS,
  ...SAMPLING_OPTIONS,
  ...LIMIT_OPTIONS,
  ...PROFILE_OPTIONS,
  tag: { type: 'string', describe: 'label in tables (default: <build>.<config>)' },
  ...RUNNER_OPTIONS,
  ...STORE_OPTIONS,
} as const satisfies Record<string, Options>;

export type RunArguments = ArgumentsCamelCase<InferredOptionTypes<typeof RUN_OPTIONS>>;
