import os from 'node:os';
import { BUILD_SYSTEMS, compileBuild, DEFAULT_CFLAGS } from '@ibench/host';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, printResult, searchPath } from '../../environment.ts';
import { interruptible } from '../../interrupt.ts';
import { BUILDS_OPTIONS } from '../run-options.ts';
import { splitWords } from './split-words.ts';

const COMPILE_OPTIONS = {
  source: {
    type: 'string',
    demandOption: true,
    describe: 'source of PostgreSQL: a git repository, or an unpacked archive',
  },
  ref: {
    type: 'string',
    describe: 'commit, tag or branch (default: the tree as it is, with all its changes)',
  },
  name: {
    type: 'string',
    describe:
      'how the build is called (default: pg<version>-<revision>, with other flags -<digits for them>)',
  },
  cflags: {
    type: 'string',
    default: DEFAULT_CFLAGS,
    describe: "the compiler's flags",
  },
  configure: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'options of configure, or of meson setup: --configure="--with-lz4" (repeatable)',
  },
  system: {
    choices: BUILD_SYSTEMS,
    describe: 'build system (default: meson where the source and this host have it)',
  },
  jobs: {
    type: 'number',
    requiresArg: true,
    default: os.availableParallelism(),
    defaultDescription: 'the number of CPUs',
    describe: 'compilers at once',
  },
  ...BUILDS_OPTIONS,
} as const satisfies Record<string, Options>;

/** `ibench builds compile`: a build from source. */
export const compileCommand: CommandModule<object, InferredOptionTypes<typeof COMPILE_OPTIONS>> = {
  command: 'compile',
  describe: 'Compile a build from source; the same revision with the same flags only once',
  builder: (yargs) =>
    yargs
      .options(COMPILE_OPTIONS)
      .example('ibench builds compile --source ~/postgresql --ref master --name head', 'a commit')
      .example('ibench builds compile --source ~/postgresql --name mine', 'the working tree')
      .example(
        'ibench builds compile --source postgresql-15.17 --cflags "-O3 -march=native" --name o3',
        'an unpacked archive, with other flags',
      )
      .example(
        'ibench builds compile --source ~/postgresql --configure="--enable-cassert"',
        'for finding bugs: runs only with --allow-debug-build',
      ),
  handler: (args) =>
    interruptible(async (progress, signal) => {
      const started = performance.now();
      const seconds = () => Math.floor((performance.now() - started) / 1000);
      const { build, isCached } = await compileBuild({
        buildsDirectory: buildsDirectory(args.buildsDir),
        source: args.source,
        ref: args.ref ?? null,
        name: args.name ?? null,
        cflags: args.cflags,
        options: args.configure.flatMap(splitWords),
        system: args.system ?? null,
        jobs: args.jobs,
        path: searchPath(),
        progress: (text) => progress.update(seconds(), text),
        say: (text) => progress.line(text),
        signal,
      });
      const { name, version, source, debugReasons } = build;
      progress.line(
        isCached
          ? `${name} is there already: Postgres ${version}, ${source}`
          : `${name} is compiled: Postgres ${version}, ${seconds()} s`,
      );
      if (build.isDebug) progress.line(`${name} is for finding bugs: ${debugReasons.join(', ')}`);
      await printResult(`${name}\n`);
    }),
};
