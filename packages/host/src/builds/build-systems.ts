import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { optimisationOf } from './optimisation.ts';

/** What a build system is told. */
export interface BuildTask {
  readonly source: string;
  /** Empty; what is compiled goes there, and nothing into the source. */
  readonly objects: string;
  /** Where the build will be used. */
  readonly prefix: string;
  /** `make install` and `meson install` put the prefix below this. */
  readonly stage: string;
  readonly cflags: string;
  readonly options: readonly string[];
  readonly jobs: number;
}

/** One program to run in the directory of objects. */
export interface BuildCommand {
  /** What it does, in a word or two. */
  readonly what: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** PostgreSQL 15 and older have configure alone, 16 and newer both. */
export const BUILD_SYSTEMS = ['configure', 'meson'] as const;
export type BuildSystem = (typeof BUILD_SYSTEMS)[number];

/** The commands of one build system, in order. */
export function buildCommands(system: BuildSystem, task: BuildTask): BuildCommand[] {
  return system === 'configure' ? configureCommands(task) : mesonCommands(task);
}

/**
 * Where programs and modules look for libpq: in their own build. Both systems write the prefix instead, and then a
 * copied build lives on the libraries of the one that it was copied from. ORIGIN is replaced by ld.so(8).
 */
const LIBRARY_PATHS = ['$ORIGIN/../lib', '$ORIGIN/..'].join(':');

/** psql's line editor is no concern of a benchmark, and its headers are often not there. */
function configureCommands(task: BuildTask): BuildCommand[] {
  const { source, prefix, stage, cflags, options, jobs } = task;
  const configure = [`--prefix=${prefix}`, '--without-readline', `CFLAGS=${cflags}`, ...options];
  const paths = `rpathdir=${LIBRARY_PATHS.replaceAll('$', '$$$$')}`;
  return [
    { what: 'configure', program: path.join(source, 'configure'), args: configure },
    { what: 'compile', program: 'make', args: [`-j${jobs}`, paths] },
    { what: 'install', program: 'make', args: ['install', `DESTDIR=${stage}`, paths] },
  ];
}

const LINK_FLAGS = '-Dc_link_args=';

/**
 * meson keeps the level of optimisation and debug symbols apart from the other flags. Unlike configure it also makes
 * tests, handbooks and translations where it can.
 */
function mesonCommands(task: BuildTask): BuildCommand[] {
  const { source, prefix, stage, cflags, options, jobs } = task;
  const flags = cflags.split(/\s+/).filter((flag) => flag !== '');
  const level = /^-O([0123gs])$/.exec(optimisationOf(cflags))?.[1];
  const kept = flags.filter(
    (flag) => flag !== '-g' && !(level !== undefined && flag.startsWith('-O')),
  );
  const others = options.findLast((one) => one.startsWith(LINK_FLAGS))?.slice(LINK_FLAGS.length);
  const linkFlags = [...(others ? [others] : []), `-Wl,-rpath,${LIBRARY_PATHS}`].join(' ');
  const setup = [
    'setup',
    `--prefix=${prefix}`,
    '--libdir=lib',
    '--wrap-mode=nodownload',
    '-Dbuildtype=plain',
    `-Doptimization=${level ?? 'plain'}`,
    `-Ddebug=${flags.includes('-g')}`,
    `-Dc_args=${kept.join(' ')}`,
    '-Dtap_tests=disabled',
    '-Ddocs=disabled',
    '-Dnls=disabled',
    '-Drpath=false',
    ...options,
    `${LINK_FLAGS}${linkFlags}`,
    '.',
    source,
  ];
  return [
    { what: 'configure', program: 'meson', args: setup },
    { what: 'compile', program: 'ninja', args: [`-j${jobs}`] },
    {
      what: 'install',
      program: 'meson',
      args: ['install', '--no-rebuild', '--destdir', stage],
    },
  ];
}

const mesonRecord = z.array(z.object({ name: z.string(), value: z.unknown() }));

/** Every option of a build as meson recorded it. */
export function readMesonOptions(objects: string): Record<string, string> {
  const file = path.join(objects, 'meson-info', 'intro-buildoptions.json');
  const options = mesonRecord.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  return Object.fromEntries(
    options.map(({ name, value }) => [name, Array.isArray(value) ? value.join(' ') : `${value}`]),
  );
}

/** The level that meson compiled with. */
export function mesonOptimisation(options: Readonly<Record<string, string>>): string {
  const { optimization = 'plain', c_args = '' } = options;
  return optimisationOf(`${optimization === 'plain' ? '' : `-O${optimization}`} ${c_args}`);
}

/** What a line of output says about how far a build is. */
export interface BuildProgress {
  /** The file or check at hand. */
  readonly what: string;
  /** ninja counts, make does not. */
  readonly done: number | null;
  readonly of: number | null;
}

/** What a line of make, configure or meson is about; meson's checks end with what they found. */
const PLAIN_STEPS = [
  /\s-o (\S+\.o)(?:\s|$)/,
  /^checking (.*?)\.{3}/,
  /^(\S+ .*?)(?: found)?\s*: (?:YES|NO|\d+)\b/,
];

/** null: the line does not say. */
export function progressIn(line: string): BuildProgress | null {
  const ninja = /^\[(\d+)\/(\d+)\] (.*)$/.exec(line);
  if (ninja !== null) {
    return { what: ninja[3] as string, done: Number(ninja[1]), of: Number(ninja[2]) };
  }
  const what = PLAIN_STEPS.map((step) => step.exec(line)?.[1]).find((name) => name !== undefined);
  return what === undefined ? null : { what, done: null, of: null };
}
