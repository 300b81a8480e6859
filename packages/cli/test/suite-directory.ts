import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

/** A folder that is removed after all tests of the file. */
export function suiteDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-report-'));
  after(() => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}
