import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's top folder: this file is packages/cli/dist/src/paths.js in it. */
const CLONE: string = fileURLToPath(new URL('../../../../', import.meta.url));

export const WORKLOADS: string = path.join(CLONE, 'configs', 'workloads');
export const SERVER_CONFIGS: string = path.join(CLONE, 'configs', 'postgres');
export const RUNS: string = path.join(CLONE, 'runs');

/** Name of the store in the folder of runs. */
export const STORE_NAME = 'ibench.sqlite';

/** The load generator's program. */
export function clientEntry(): string {
  return fileURLToPath(import.meta.resolve('@ibench/client/main'));
}

/** The program itself, to be started as a child. */
export function programEntry(): string {
  return fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));
}

/** Version of this tool. */
export function toolVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Names of the files in a folder of configurations, without their ending. */
export function namesIn(directory: string, ending: string): string[] {
  return fs
    .readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}
