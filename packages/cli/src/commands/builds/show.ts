import { findBuild, registeredManifest } from '@ibench/host';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, printResult } from '../../environment.ts';
import { BUILDS_OPTIONS } from '../run-options.ts';
import { showBuild } from './show-build.ts';

const SHOW_OPTIONS = {
  format: { choices: ['text', 'json'], default: 'text', describe: 'how to print' },
  ...BUILDS_OPTIONS,
} as const satisfies Record<string, Options>;

type ShowArguments = InferredOptionTypes<typeof SHOW_OPTIONS> & { build: string };

/** `ibench builds show`: everything that is known of one build. */
export const showCommand: CommandModule<object, ShowArguments> = {
  command: 'show <build>',
  describe: 'Show what is known of a build: source, flags, fingerprint; its files are checked',
  builder: (yargs) =>
    yargs
      .positional('build', {
        type: 'string',
        demandOption: true,
        describe: 'embedded, a registered build, or a directory',
      })
      .options(SHOW_OPTIONS)
      .example('ibench builds show embedded', 'for people')
      .example('ibench builds show embedded --format json', 'for other programs'),
  handler: async (args) => {
    const directory = buildsDirectory(args.buildsDir);
    const build = await findBuild(args.build, directory);
    const manifest = registeredManifest(directory, build.name);
    await printResult(
      args.format === 'json'
        ? `${JSON.stringify({ ...build, registered: manifest }, null, 2)}\n`
        : showBuild(build, manifest),
    );
  },
};
