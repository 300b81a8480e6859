import { removeBuilds } from '@ibench/host';
import type { CommandModule, InferredOptionTypes } from 'yargs';
import { buildsDirectory, humanTerminal } from '../../environment.ts';
import { BUILDS_OPTIONS } from '../run-options.ts';

type RemoveArguments = InferredOptionTypes<typeof BUILDS_OPTIONS> & { names: string[] };

/** `ibench builds remove`: forget builds. */
export const removeCommand: CommandModule<object, RemoveArguments> = {
  command: 'remove <names..>',
  describe: 'Forget builds and remove what was installed; an added directory keeps its files',
  builder: (yargs) =>
    yargs
      .positional('names', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'registered builds',
      })
      .options(BUILDS_OPTIONS)
      .example('ibench builds remove pg17.0 pg17.1', 'two of them'),
  handler: async (args) => {
    await removeBuilds(buildsDirectory(args.buildsDir), args.names);
    for (const name of args.names) humanTerminal().write(`${name} is removed\n`);
  },
};
