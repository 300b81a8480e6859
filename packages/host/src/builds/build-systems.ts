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

/** psql's line editor is no concern of a benchmark, and its headers are often not there. */
function configureCommands(task: BuildTask): BuildCommand[] {
  const { source, prefix, stage, cflags, options, jobs } = task;
  const configure = [`--prefix=${prefix}`, '--without-readline', `CFLAGS=${cflags}`, ...options];
  return [
    { what: 'configure', program: path.join(source, 'configure'), args: configure },
    { what: 'compile', program: 'make', args: [`-j${jobs}`] },
    { what: 'install', program: 'make', args: ['install', `DESTDIR=${stage}`] },
  ];
}

/** meson keeps the level of optimisation and debug symbols apart from the other flags. */
function mesonCommands(task: BuildTask): BuildCommand[] {
  const { source, prefix, stage, cflags, options, jobs } = task;
  const flags = cflags.split(/\s+/).filter((flag) => flag !== '');
  const level = /^-O([0123gs])$/.exec(optimisationOf(cflags))?.[1];
  const kept = flags.filter(
    (flag) => flag !== '-g' && !(level !== undefined && flag.startsWith('-O')),
  );
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
    ...options,
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

/** null: the line does not say. */
export function progressIn(line: string): BuildProgress | null {
  const ninja = /^\[(\d+)\/(\d+)\] (.*)$/.exec(line);
  if (ninja !== null) {
    return { what: ninja[3] as string, done: Number(ninja[1]), of: Number(ninja[2]) };
  }
  const what = /\s-o (\S+\.o)(?:\s|$)/.exec(line)?.[1] ?? /^checking (.*?)\.{3}/.exec(line)?.[1];
  return what === undefined ? null : { what, done: null, of: null };
}
