import fs from 'node:fs';
import path from 'node:path';
import { nearest, UsageError } from '@ibench/core';
import {
  type Build,
  type Config,
  checkConfigOnBuild,
  loadConfig,
  resolveConfig,
  type ServerConfig,
  usableMemory,
} from '@ibench/host';
import { namesIn, SERVER_CONFIGS } from './paths.ts';
import { readText } from './read-text.ts';

/** Names of the configurations that come with the tool: a1, a2, … a10, base, … */
export function configNames(): string[] {
  return namesIn(SERVER_CONFIGS, '.conf').sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
}

/**
 * Reads a named configuration of the server, or a file, with what it includes.
 *
 * @throws UsageError for an unknown name, or with file and line for what is wrong in a file
 */
export function readConfig(name: string): Config {
  const isPath = name.includes('/') || name.endsWith('.conf');
  const file = isPath ? path.resolve(name) : path.join(SERVER_CONFIGS, `${name}.conf`);
  if (fs.existsSync(file)) {
    readText(file, 'config file');
    return loadConfig(file);
  }
  if (isPath) throw new UsageError(`config file ${name}: no such file`);
  const near = nearest(name, configNames());
  const hint = near === null ? '' : `, did you mean "${near}"?`;
  throw new UsageError(
    `unknown config "${name}"${hint} (\`ibench configs list\` shows all; a path ends in .conf)`,
  );
}

/**
 * A configuration for a build and this host, approved by the build.
 *
 * @throws UsageError for a version that it is not for, or settings that the build refuses
 */
export async function configFor(config: Config, build: Build): Promise<ServerConfig> {
  const resolved = resolveConfig(config, { build, memoryBytes: usableMemory() });
  await checkConfigOnBuild(resolved, build);
  return resolved;
}
