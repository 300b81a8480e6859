import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

/** Compares a rendering with a golden file, which only UPDATE_GOLDEN=1 rewrites. */
export function assertGolden(actual: string, name: string): void {
  const file = fixture(name);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, actual);
  assert.equal(actual, readFileSync(file, 'utf8'));
}

/** Records of a CSV fixture without quoting, by column name. */
export function readCsv(name: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(fixture(name), 'utf8').trim().split('\n');
  const keys = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((v, i) => [keys[i]!, v])));
}

function fixture(name: string): URL {
  return new URL(`../../test/fixtures/${name}`, import.meta.url);
}
