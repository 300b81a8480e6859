import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Argv, CommandModule } from 'yargs';
import { IBENCH, ibench } from './filled-store.ts';
import { generateStore } from './generated-store.ts';
import { temporaryDirectory } from './support.ts';

const CLONE = fileURLToPath(new URL('../../../../', import.meta.url));
const DOCUMENTS = [
  'README.md',
  'configs/README.md',
  ...fs
    .readdirSync(path.join(CLONE, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];

/** Commands of commands: their second word belongs to the name. */
const NESTED: readonly string[] = ['plan', 'configs', 'builds'];

interface Documented {
  readonly line: string;
  readonly command: string;
  readonly options: readonly string[];
}

/** A command at the start of a line, after a variable, or the name of the picture that it makes. */
const COMMAND = /^(?:\S+=\S+ |\S+\.(?:svg|png): )?(?:npx )?ibench ([^|>#&]+)/;

/** Every `ibench …` of a document's code blocks and comments, up to a pipe, a redirection or a remark. */
function commandsIn(name: string): Documented[] {
  const text = fs.readFileSync(path.join(CLONE, name), 'utf8');
  const blocks = [...text.matchAll(/```\w*\n(.*?)```/gs), ...text.matchAll(/<!-- (.*?) -->/gs)];
  return blocks
    .flatMap(([, block]) => block!.split(/\n|(?<=&&) /))
    .flatMap((line) => {
      const words = COMMAND.exec(line)?.[1]?.trim().split(/\s+/);
      if (words === undefined) return [];
      const command = words.slice(0, NESTED.includes(words[0]!) ? 2 : 1).join(' ');
      const options = words.filter((word) => /^--[a-z]/.test(word));
      return [{ line: `${name}: ${line}`, command, options }];
    });
}

test('the commands in the documents exist, with the options that they are given', () => {
  const documented = DOCUMENTS.flatMap(commandsIn);
  assert.ok(documented.length > 30, `${documented.length} commands found`);
  const helps = new Map<string, string>();
  for (const { line, command, options } of documented) {
    if (!helps.has(command)) helps.set(command, ibench(...command.split(' '), '--help').stdout);
    const help = helps.get(command)!;
    assert.ok(help.startsWith(`ibench ${command}`), line);
    for (const option of options) {
      const name = option.split('=')[0]!;
      assert.match(help, new RegExp(`^ +(-\\w, )? *${name}\\b`, 'm'), `${line}: no ${name}`);
    }
  }
});

/** Commands that need nothing, and those that need a store. */
const ALONE = ['configs list', 'configs show', 'configs diff', 'plan check', 'builds show'];
const READING = ['chart', 'compare', 'sweep-summary'];

/** Those that start servers, measure or change this host, ask a registry, or take long: tested elsewhere. */
const ELSEWHERE = [
  ...['run', 'selftest', 'doctor', 'table', 'report', 'export', 'flamegraph'],
  ...['plan run', 'plan resume', 'plan status'],
  ...['builds list', 'builds install', 'builds add', 'builds compile', 'builds remove'],
];

/** Every example of the helps, as the commands declare them. */
async function declaredExamples(): Promise<string[]> {
  const examples: string[] = [];
  const collect = ({ builder }: CommandModule): void => {
    const yargs: Argv = new Proxy({} as Argv, {
      get: (_, method) => (first: unknown) => {
        if (method === 'example') examples.push(first as string);
        if (method === 'command') collect(first as CommandModule);
        return yargs;
      },
    });
    if (typeof builder === 'function') builder(yargs);
  };
  const folder = new URL('../src/commands/', import.meta.url);
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const exported: CommandModule[] = Object.values(await import(new URL(name, folder).href));
    exported.filter((one) => one?.builder !== undefined).forEach(collect);
  }
  return examples;
}

const IDS = ['20261129-100000-000', '20261129-100001-001'];

/** A folder with what the examples name: files of the user's, and a store with runs of these tags. */
function exampleFolder(t: TestContext): string {
  const folder = temporaryDirectory(t);
  fs.symlinkSync(path.join(CLONE, 'configs'), path.join(folder, 'configs'));
  fs.writeFileSync(path.join(folder, 'my.conf'), 'work_mem = 8MB\n');
  fs.copyFileSync(path.join(CLONE, 'configs/plans/clients.yaml'), path.join(folder, 'my.yaml'));
  generateStore(path.join(folder, 'ibench.sqlite'), {
    runs: ['pg17.9.base', 'pg18.4.base'].map((tag) => ({ tag })),
    steps: ['l.i1', 'qr100'],
    seconds: 31,
  });
  return folder;
}

/** What went wrong with a command; null: nothing. Only the embedded build is installed. */
function failureOf(folder: string, args: readonly string[]): Promise<string | null> {
  const env = { ...process.env, IBENCH_BUILDS: path.join(folder, 'builds') };
  return new Promise((resolve) => {
    const options = { cwd: folder, env, maxBuffer: 2 ** 28 };
    execFile(process.execPath, [IBENCH, ...args], options, (error, _, stderr) => {
      resolve(error === null ? null : `${args.join(' ')}: ${error.code}, ${stderr}`);
    });
  });
}

test('the examples that need no server end well where no more than the embedded build is installed', async (t) => {
  const texts = commandsIn('configs/README.md').map(({ line }) => line.split(': ')[1]!);
  const lines = [...(await declaredExamples()), ...texts].map((line) =>
    line.replace(/^\S+=\S+ | +[|>#].*/g, ''),
  );
  const ids = [...IDS];
  const commands = [...new Set(lines)].flatMap((line) => {
    const words = line.split(/ +/).slice(1);
    const command = words.slice(0, NESTED.includes(words[0]!) ? 2 : 1).join(' ');
    if (ELSEWHERE.includes(command)) return [];
    assert.ok([...ALONE, ...READING].includes(command), `${line}: is it to be run here?`);
    const args = words.map((word) => (/^\d{8}-\d{6}-/.test(word) ? ids.shift()! : word));
    if (READING.includes(command)) return [[...args, '--db', 'ibench.sqlite']];
    // What the clone's own runs say is not the test's business.
    return [command.startsWith('plan ') ? [...args, '--runs-dir', 'runs'] : args];
  });
  assert.ok(commands.length > 15, `${commands.length} commands found`);
  const folder = exampleFolder(t);
  const failures: (string | null)[] = [];
  const lane = async () => {
    for (let args = commands.pop(); args; args = commands.pop()) {
      failures.push(await failureOf(folder, args));
    }
  };
  await Promise.all([lane(), lane()]);
  assert.deepEqual(
    failures.filter((failure) => failure !== null),
    [],
  );
});
