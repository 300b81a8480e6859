import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkTarget } from '../src/check-target.ts';
import { writeWhole, writeWholeText } from '../src/write-whole.ts';
import { temporaryDirectory } from './support.ts';

const MODULE = fileURLToPath(new URL('../src/write-whole.js', import.meta.url));
const TEXT = 'a,b\n1,2\n';
const PROGRAM = `import { writeWholeText } from ${JSON.stringify(MODULE)};
  await writeWholeText(process.argv[1], process.argv[2]);`;
const ARGS = ['--input-type=module', '-e', PROGRAM];

describe('a file', () => {
  let folder: string;
  const here = (name: string): string => path.join(folder, name);
  const begin = (t: TestContext): void => {
    folder = temporaryDirectory(t);
  };

  test('that is absent or regular has the text, and there is nothing else', async (t) => {
    begin(t);
    fs.writeFileSync(here('old'), 'much longer than what is written then');
    for (const name of ['old', 'new', 'deep/er/new']) {
      assert.equal(await writeWholeText(here(name), TEXT), TEXT.length);
      assert.equal(fs.readFileSync(here(name), 'utf8'), TEXT);
    }
    assert.deepEqual(fs.readdirSync(folder).sort(), ['deep', 'new', 'old']);
  });

  test('is the old one, whole, when the text cannot be made', async (t) => {
    begin(t);
    fs.writeFileSync(here('old'), 'old');
    await assert.rejects(writeWhole(here('old'), failing()), /no more/);
    assert.equal(fs.readFileSync(here('old'), 'utf8'), 'old');
    assert.deepEqual(fs.readdirSync(folder), ['old']);
  });

  test('is written where the links lead to, beside itself, and the links stay', async (t) => {
    begin(t);
    fs.mkdirSync(here('there'));
    fs.writeFileSync(here('there/target'), 'old');
    fs.symlinkSync('there/target', here('relative'));
    fs.symlinkSync(here('relative'), here('two'));
    fs.symlinkSync('there/absent', here('dangling'));
    fs.symlinkSync('there', here('folder'));
    for (const [link, target] of [
      ['relative', 'there/target'],
      ['two', 'there/target'],
      ['dangling', 'there/absent'],
      ['folder/in', 'there/in'],
    ] as const) {
      await writeWholeText(here(link), link);
      assert.equal(fs.readFileSync(here(target), 'utf8'), link);
      assert.ok(!fs.lstatSync(here(target)).isSymbolicLink());
    }
    for (const link of ['relative', 'two', 'dangling', 'folder']) {
      assert.ok(fs.lstatSync(here(link)).isSymbolicLink(), link);
    }
    assert.deepEqual(fs.readdirSync(here('there')).sort(), ['absent', 'in', 'target']);
  });

  test('that is a folder, or a circle of links, is refused in the words of the system', async (t) => {
    begin(t);
    fs.mkdirSync(here('folder'));
    fs.symlinkSync('one', here('other'));
    fs.symlinkSync('other', here('one'));
    for (const [name, reason] of [
      ['folder', 'EISDIR'],
      ['one', 'ELOOP'],
    ] as const) {
      await assert.rejects(writeWholeText(here(name), TEXT), {
        name: 'RunError',
        message: RegExp(`^cannot write .*/${name}: ${reason}`),
      });
    }
    assert.deepEqual(fs.readdirSync(folder).sort(), ['folder', 'one', 'other']);
  });
});

test('of a device it is checked before whether it can be written, not whether its folder can', () => {
  // Only for an ordinary user is there a difference.
  checkTarget('--out', '/dev/null', 'file');
});

function* failing(): Generator<string> {
  yield TEXT;
  throw new Error('no more');
}

describe('what is no regular file takes the text and stays what it is', () => {
  for (const name of ['pipe', 'link-to-pipe']) {
    test(name, async (t) => {
      const own = temporaryDirectory(t);
      const pipe = path.join(own, 'pipe');
      assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
      fs.symlinkSync('pipe', path.join(own, 'link-to-pipe'));
      const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
      let read = '';
      reader.stdout.on('data', (data) => {
        read += data;
      });
      const closed = once(reader, 'close');
      await writeWholeText(path.join(own, name), TEXT);
      await closed;
      assert.equal(read, TEXT);
      assert.ok(fs.lstatSync(pipe).isFIFO());
      assert.deepEqual(fs.readdirSync(own).sort(), ['link-to-pipe', 'pipe']);
    });
  }

  test('a device', async (t) => {
    const folder = temporaryDirectory(t);
    const device = path.join(folder, 'null');
    const { status } = spawnSync('mknod', [device, 'c', '1', '3']);
    if (status !== 0) return t.skip('devices cannot be made here');
    const { rdev } = fs.lstatSync(device);
    try {
      await writeWholeText(device, TEXT);
    } catch (error) {
      // A file system that is mounted without devices.
      if (!/EACCES/.test(String(error))) throw error;
    }
    const after = fs.lstatSync(device);
    assert.ok(after.isCharacterDevice());
    assert.equal(after.rdev, rdev);
    assert.deepEqual(fs.readdirSync(folder), ['null']);
  });

  test('a descriptor: >(command), /dev/stdout into a pipe, and after what a file has', (t) => {
    const folder = temporaryDirectory(t);
    const shell = (script: string): string =>
      execFileSync('bash', ['-c', script, process.execPath, ...ARGS], {
        cwd: folder,
        encoding: 'utf8',
      });
    assert.equal(shell(`"$0" "$@" >(cat) '${TEXT}' | cat`), TEXT);
    assert.equal(shell(`"$0" "$@" /dev/stdout '${TEXT}' | cat`), TEXT);
    const appended = shell(`echo first >log; "$0" "$@" /dev/stdout '${TEXT}' >>log; cat log`);
    assert.equal(appended, `first\n${TEXT}`);
    assert.ok(!fs.readdirSync(folder).some((name) => name.endsWith('.partial')));
  });
});
