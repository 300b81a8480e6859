import { findBuild, listManifests, readAvailable } from '@ibench/host';
import { FORMATS, type Format, render } from '@ibench/report';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, humanTerminal, printResult, wantsColour } from '../../environment.ts';
import { BUILDS_OPTIONS } from '../run-options.ts';
import { availableTable, buildsTable } from './tables.ts';

const LIST_OPTIONS = {
  available: {
    type: 'boolean',
    default: false,
    describe: 'the versions that npm has, and which of them are installed',
  },
  format: { choices: FORMATS, default: 'text' as Format, describe: 'how to print' },
  ...BUILDS_OPTIONS,
} as const satisfies Record<string, Options>;

const EPILOGUE =
  'files: whether postgres and its libraries are those that were registered. Checksums are compared: of a directory all, of a build that ibench keeps those of files whose ctime is later than its registration. ibench builds show NAME, and each run, compare all. Of the embedded build nothing is registered.';

/** `ibench builds list`: the builds that can be named, or those that could be installed. */
export const listCommand: CommandModule<object, InferredOptionTypes<typeof LIST_OPTIONS>> = {
  command: 'list',
  describe: 'List the builds that there are, with those whose files were altered, or what npm has',
  builder: (yargs) =>
    yargs
      .options(LIST_OPTIONS)
      .example('ibench builds list', 'the builds that --build can name')
      .example('ibench builds list --available', 'what could be installed')
      .example('ibench builds list --format json', 'for other programs')
      .epilogue(EPILOGUE),
  handler: async (args) => {
    const directory = buildsDirectory(args.buildsDir);
    const { manifests, problems } = listManifests(directory);
    for (const problem of problems) humanTerminal().write(`${problem}\n`);
    const table = args.available
      ? availableTable(await readAvailable(), manifests)
      : buildsTable(await findBuild(undefined), manifests, directory);
    await printResult(render([table], args.format, { colour: wantsColour() }));
  },
};
