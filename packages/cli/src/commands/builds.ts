import type { CommandModule } from 'yargs';
import { addCommand } from './builds/add.ts';
import { compileCommand } from './builds/compile.ts';
import { installCommand } from './builds/install.ts';
import { listCommand } from './builds/list.ts';
import { removeCommand } from './builds/remove.ts';
import { showCommand } from './builds/show.ts';

/** `ibench builds …`: the Postgres builds that runs can name. */
export const buildsCommand: CommandModule = {
  command: 'builds',
  describe:
    'List, install, add, compile, show and remove the Postgres builds that --build can name',
  builder: (yargs) =>
    yargs
      .command(listCommand)
      .command(installCommand)
      .command(addCommand)
      .command(compileCommand)
      .command(showCommand)
      .command(removeCommand)
      .demandCommand(1, 'Expected a command: list, install, add, compile, show or remove')
      .example('ibench builds install 12.22 17.9 18.4', 'three versions from npm')
      .example('ibench run --build pg17.9', 'measure one of them'),
  handler: () => {},
};
