import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { logTail } from '../src/postgres/server.ts';
import { makeDirectory } from './server-support.ts';

test('the last lines of a log are found without reading the rest of it', (t) => {
  const file = path.join(makeDirectory(t), 'server.log');
  // A hole of 3 GB: more than a string can hold, and nothing that a read of all would get through.
  fs.writeFileSync(file, '');
  fs.truncateSync(file, 3 * 1024 ** 3);
  fs.appendFileSync(file, '\nfirst\nsecond\nthird\n');
  assert.equal(logTail(file, 2), `\n${file} ends with:\nsecond\nthird`);
});

test('a short log is shown whole, and one that is missing is said to be', (t) => {
  const file = path.join(makeDirectory(t), 'server.log');
  fs.writeFileSync(file, 'only\n');
  assert.equal(logTail(file), `\n${file} ends with:\nonly`);
  assert.match(logTail(`${file}.none`), /cannot be read: ENOENT/);
  assert.equal(logTail(null), '');
});
