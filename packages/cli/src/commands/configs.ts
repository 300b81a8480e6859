import {
  checkConfigOnBuild,
  compareConfigs,
  describeVersions,
  findBuild,
  resolveConfig,
  type ServerConfig,
  usableMemory,
} from '@ibench/host';
import { configDiffTable, configsTable, FORMATS, type Format, render } from '@ibench/report';
import type { Argv, CommandModule, InferredOptionTypes, Options } from 'yargs';
import { buildsDirectory, printResult, wantsColour } from '../environment.ts';
import { configFor, configNames, readConfig } from '../read-config.ts';
import { BUILDS_OPTIONS } from './run-options.ts';

const FORMAT = {
  format: { choices: FORMATS, default: 'text' as Format, describe: 'how to print' },
} as const satisfies Record<string, Options>;

const BUILD = {
  build: { type: 'string', describe: 'build that is asked (default: embedded), as for ibench run' },
  ...BUILDS_OPTIONS,
} as const satisfies Record<string, Options>;

/** `ibench configs`: what the configurations are, alone and on a build. */
export const configsCommand: CommandModule = {
  command: 'configs',
  describe: 'List, show and compare configurations of the server',
  builder: (yargs) =>
    yargs
      .command(listCommand)
      .command(showCommand)
      .command(diffCommand)
      .demandCommand(1, 1, 'Expected a command: list, show or diff'),
  handler: () => {},
};

const listCommand: CommandModule<object, InferredOptionTypes<typeof FORMAT>> = {
  command: 'list',
  describe: 'All configurations that come with the tool',
  builder: (yargs) => yargs.options(FORMAT),
  handler: async ({ format }) => {
    const configs = configNames().map((name) => {
      const { description, versions, includes, lines } = readConfig(name);
      const settings = new Set(lines.map((line) => line.name)).size;
      return { name, description, versions: describeVersions(versions), includes, settings };
    });
    await printResult(render([configsTable(configs)], format, { colour: wantsColour() }));
  },
};

const SHOW_OPTIONS = {
  ...BUILD,
  format: {
    choices: ['text', 'json'] as const,
    default: 'text' as 'text' | 'json',
    describe: 'text: lines for postgresql.conf, with their origin',
  },
} as const satisfies Record<string, Options>;

type ShowArguments = InferredOptionTypes<typeof SHOW_OPTIONS> & { readonly name: string };

const showCommand: CommandModule<object, ShowArguments> = {
  command: 'show <name>',
  describe: 'The settings of a configuration on a build and this host, each with its origin',
  builder: (yargs) =>
    positional(yargs, 'name')
      .options(SHOW_OPTIONS)
      .example('ibench configs show a16', 'what a16 is')
      .example(
        'ibench configs show ./my.conf --build embedded',
        'your own, on a certain build',
      ) as never,
  handler: async ({ name, build: buildName, buildsDir, format }) => {
    const config = readConfig(name);
    const build = await findBuild(buildName, buildsDirectory(buildsDir));
    const resolved = resolveConfig(config, { build, memoryBytes: usableMemory() });
    const text = format === 'text' ? resolved.text : describeConfig(resolved, build.name);
    await printResult(text);
    // What the build refuses is shown all the same, and refused after it.
    await checkConfigOnBuild(resolved, build);
  },
};

function describeConfig({ name, settings, memoryBytes }: ServerConfig, build: string): string {
  const shown = settings.map(({ place: _, ...setting }) => setting);
  const all = { name, build, memory_bytes: memoryBytes, settings: shown };
  return `${JSON.stringify(all, null, 2)}\n`;
}

const DIFF_OPTIONS = { ...BUILD, ...FORMAT } as const;

type DiffArguments = InferredOptionTypes<typeof DIFF_OPTIONS> & {
  readonly a: string;
  readonly b: string;
};

const diffCommand: CommandModule<object, DiffArguments> = {
  command: 'diff <a> <b>',
  describe: 'Settings that differ between two configurations, as a build would have them',
  builder: (yargs) =>
    positional(positional(yargs, 'a'), 'b')
      .options(DIFF_OPTIONS)
      .example('ibench configs diff a0 a16', 'what a16 changes')
      .example('ibench configs diff base ./my.conf --format json', 'for other programs') as never,
  handler: async ({ a, b, build: buildName, buildsDir, format }) => {
    const [first, second] = [readConfig(a), readConfig(b)];
    const build = await findBuild(buildName, buildsDirectory(buildsDir));
    const [ofA, ofB] = [await configFor(first, build), await configFor(second, build)];
    const pairs = await compareConfigs(ofA, ofB, build);
    const table = configDiffTable({ a, b, build: build.name }, pairs);
    await printResult(render([table], format, { colour: wantsColour() }));
  },
};

function positional(yargs: Argv<object>, name: string): Argv<object> {
  return yargs.positional(name, {
    type: 'string',
    demandOption: true,
    describe: 'configuration by name, or a .conf file',
  });
}
