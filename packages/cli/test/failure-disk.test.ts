import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  checkFailure,
  hasSmallDisks,
  LOADED,
  noteOf,
  smallDisk,
  startRun,
  steps,
  temporaryDirectory,
  testWithSmallDisks,
  untilMeasured,
  untilNothingLeft,
  untilRunning,
  worldOf,
} from './support.ts';

/** Megabytes. */
const DATA_DISK = 300;
const STORE_DISK = 8;

if (hasSmallDisks()) describe('a full disk', { concurrency: 2 }, fullDisk);
else test('a full disk, where this user may mount one', inNamespaces);

function inNamespaces(t: TestContext): void {
  const { status, stdout, stderr } = testWithSmallDisks(t, fileURLToPath(import.meta.url), [
    DATA_DISK,
    STORE_DISK,
  ]);
  assert.equal(status, 0, `${stdout}${stderr}`);
}

function fullDisk(): void {
  test('under the data: the step fails with the words of the server', async (t) => {
    const disk = smallDisk(t, DATA_DISK);
    const run = startRun(t, {
      set: { rows: 10_000_000 },
      args: ['--data-dir', path.join(disk, 'data'), '--disk-reserve', '0'],
    });
    await untilMeasured(run, 'l.i0');
    const seen = worldOf(run);
    assert.equal(noteOf(run).dataDirectory, path.join(disk, 'data'));
    fill(path.join(disk, 'filler'));
    assert.deepEqual(await run.ended, { code: 1, signal: null });
    assert.deepEqual(steps(run), ['l.i0 failed']);
    // Where it is the WAL that finds no room, the server crashes: then the words are in its log.
    checkFailure(run, 'l.i0', {
      message: /No space left on device/,
      sqlstate: /^53100$|^57P0|^null$/,
    });
    await untilNothingLeft(run, seen);
    assert.deepEqual(fs.readdirSync(disk), ['filler']);
  });

  test('is not reached where a reserve is asked for: the run stops before, with the figures', async (t) => {
    const disk = smallDisk(t, DATA_DISK);
    const run = startRun(t, {
      set: { rows: 10_000_000 },
      args: ['--data-dir', path.join(disk, 'data'), '--disk-reserve', '100MB'],
    });
    await untilMeasured(run, 'l.i0');
    const seen = worldOf(run);
    assert.deepEqual(await run.ended, { code: 1, signal: null });
    checkFailure(run, 'l.i0', {
      message: new RegExp(
        `^only \\d\\d?\\.\\d MB are free on the file system of ${disk}/data, less than the reserve of 100\\.0 MB: `,
      ),
      sqlstate: null,
    });
    await untilNothingLeft(run, seen);
  });

  test('under the store: the run fails with a message, and the server is stopped', async (t) => {
    const disk = smallDisk(t, STORE_DISK);
    const run = startRun(t, {
      set: { settle_seconds: 300 },
      runsDirectory: disk,
      args: ['--data-dir', path.join(temporaryDirectory(t), 'data'), '--disk-reserve', '0'],
    });
    await untilRunning(run, 'settle');
    const seen = worldOf(run);
    fill(path.join(disk, 'filler'));
    assert.deepEqual(await run.ended, { code: 1, signal: null });
    const message = `settle: cannot write to the store ${disk}/ibench.sqlite: database or disk is full`;
    assert.ok(run.stderr().includes(` failed: ${message}\n`), run.stderr());
    assert.doesNotMatch(run.stderr(), /^\s+at /m, 'a stack trace');
    assert.deepEqual(steps(run).slice(0, 4), LOADED.slice(0, 4));
    await untilNothingLeft(run, seen);
  });
}

/** Writes until there is no room. */
function fill(file: string): void {
  const fd = fs.openSync(file, 'w');
  try {
    for (;;) fs.writeSync(fd, Buffer.alloc(4096));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    fs.closeSync(fd);
  }
}
