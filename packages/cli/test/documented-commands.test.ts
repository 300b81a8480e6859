import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ibench } from './filled-store.ts';

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
