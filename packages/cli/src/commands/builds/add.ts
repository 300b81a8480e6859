import fs from 'node:fs';
import { addDirectory, type Build, listManifests } from '@ibench/host';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, humanTerminal, printResult } from '../../environment.ts';
import { BUILDS_OPTIONS } from '../run-options.ts';

const ADD_OPTIONS = {
  name: { type: 'string', describe: 'how the build is called (default: pg<version>)' },
  ...BUILDS_OPTIONS,
} as const satisfies Record<string, Options>;

type AddArguments = InferredOptionTypes<typeof ADD_OPTIONS> & { directory: string };

/** `ibench builds add`: a directory that has a Postgres. */
export const addCommand: CommandModule<object, AddArguments> = {
  command: 'add <directory>',
  describe: 'Register a directory with bin/postgres; its files stay where they are',
  builder: (yargs) =>
    yargs
      .positional('directory', {
        type: 'string',
        demandOption: true,
        describe: 'directory with bin/postgres',
      })
      .options(ADD_OPTIONS)
      .example('ibench builds add /usr/lib/postgresql/15 --name debian15', "Debian's Postgres"),
  handler: async (args) => {
    const directory = buildsDirectory(args.buildsDir);
    const build = await addDirectory(args.directory, {
      buildsDirectory: directory,
      ...(args.name === undefined ? {} : { name: args.name }),
    });
    const { name, debugReasons } = build;
    const say = (text: string) => humanTerminal().write(`${text}\n`);
    say(describe(build, args.directory));
    const same = sameFiles(build, directory);
    if (same.length > 0) say(`the same files are registered as ${same.join(', ')} too`);
    if (build.isDebug) say(`${name} is for finding bugs: ${debugReasons.join(', ')}`);
    await printResult(`${name}\n`);
  },
};

/** A name that has the same files already keeps its directory. */
function describe({ name, version, fingerprint, root }: Build, directory: string): string {
  const what = `Postgres ${version}, fingerprint ${fingerprint.digest.slice(0, 12)}`;
  return fs.realpathSync(root) === fs.realpathSync(directory)
    ? `${name} is ${what}`
    : `${name} is there already, with the same files in ${root}: ${what}`;
}

/** Other names of a build. */
function sameFiles({ name, fingerprint }: Build, directory: string): string[] {
  return listManifests(directory)
    .manifests.filter((other) => other.fingerprint.digest === fingerprint.digest)
    .map((other) => other.name)
    .filter((other) => other !== name);
}
