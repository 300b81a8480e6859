import path from 'node:path';
import { nearest } from '@ibench/core';
import { execa } from 'execa';
import type { Build } from '../builds/build.ts';
import { plainEnvironment } from '../process.ts';
import type { ServerConfig } from './config-file.ts';

/**
 * Words on settings that the server did not start for because it has none of that name, with the nearest
 * that it has; empty where its log complains of none.
 *
 * @param log what the server wrote
 */
export async function explainUnknownSettings(
  log: string,
  config: ServerConfig,
  build: Build,
): Promise<string> {
  const names = [...log.matchAll(/unrecognized configuration parameter "([^"]+)"/g)].map(
    ([, name]) => (name as string).toLowerCase(),
  );
  if (names.length === 0) return '';
  const known = await knownSettings(build);
  return [...new Set(names)]
    .map((name) => {
      const line = config.settings.find((setting) => setting.name === name)?.line;
      const near = nearest(name, known);
      const where = line === undefined ? '' : ` (line ${line} of config ${config.name})`;
      const hint = near === null ? '' : `; did you mean ${near}?`;
      return `\n${build.name} has no setting ${name}${where}${hint}`;
    })
    .join('');
}

async function knownSettings(build: Build): Promise<string[]> {
  const { stdout } = await execa(path.join(build.root, 'bin', 'postgres'), ['--describe-config'], {
    env: plainEnvironment(),
    extendEnv: false,
    reject: false,
  });
  return (stdout ?? '').split('\n').map((line) => line.split('\t')[0] as string);
}
