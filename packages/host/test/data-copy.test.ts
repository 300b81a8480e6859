import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkShutDown, copyData, digestData } from '../src/postgres/data-copy.ts';

function directory(t: TestContext): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-test-'));
  t.after(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}

function withData(t: TestContext): string {
  const data = directory(t);
  fs.mkdirSync(path.join(data, 'base', '1'), { recursive: true });
  fs.writeFileSync(path.join(data, 'PG_VERSION'), '18\n');
  fs.writeFileSync(path.join(data, 'base', '1', '1259'), Buffer.alloc(100_000, 7));
  return data;
}

test('a copy has the digest of what was copied', async (t) => {
  const [data, copy] = [withData(t), directory(t)];
  await copyData(data, copy);
  const digest = await digestData(data);
  assert.deepEqual(await digestData(copy), digest);
  assert.equal(digest.bytes, 100_003);
});

test('every byte, name and directory counts in the digest', async (t) => {
  const data = withData(t);
  const seen = new Set([(await digestData(data)).sha256]);
  const file = path.join(data, 'base', '1', '1259');
  const bytes = fs.readFileSync(file);
  bytes[99_999] = 8;
  fs.writeFileSync(file, bytes);
  seen.add((await digestData(data)).sha256);
  fs.renameSync(file, `${file}_fsm`);
  seen.add((await digestData(data)).sha256);
  fs.mkdirSync(path.join(data, 'base', '2'));
  seen.add((await digestData(data)).sha256);
  assert.equal(seen.size, 4);
});

test('data that is not all in one place cannot be kept', async (t) => {
  const data = withData(t);
  fs.symlinkSync('/tmp', path.join(data, 'pg_wal'));
  await assert.rejects(digestData(data), {
    name: 'RunError',
    message: /pg_wal is a symbolic link/,
  });
});

test('a copy that fails says why', async (t) => {
  await assert.rejects(copyData('/no/such', directory(t)), { message: /cp .*No such file/ });
});

test('only the data of a server that was shut down in order is kept', (t) => {
  const data = directory(t);
  fs.mkdirSync(path.join(data, 'global'));
  const control = Buffer.alloc(8192);
  control.writeInt32LE(6, 16);
  fs.writeFileSync(path.join(data, 'global', 'pg_control'), control);
  assert.throws(() => checkShutDown(data), { name: 'RunError', message: /state 6 in pg_control/ });
  control.writeInt32LE(1, 16);
  fs.writeFileSync(path.join(data, 'global', 'pg_control'), control);
  checkShutDown(data);
});
