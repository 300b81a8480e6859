import fs from 'node:fs';
import path from 'node:path';
import { nearest, UsageError } from '@ibench/core';
import { parseConfig, type ServerConfig } from '@ibench/host';
import { namesIn, SERVER_CONFIGS } from './paths.ts';
import { readText } from './read-text.ts';

/**
 * Reads a named configuration of the server, or a file.
 *
 * @throws UsageError for an unknown name, or with file and line for what is no setting
 */
export function readConfig(name: string): ServerConfig {
  const isPath = name.includes('/') || name.endsWith('.conf');
  const file = isPath ? path.resolve(name) : path.join(SERVER_CONFIGS, `${name}.conf`);
  if (!fs.existsSync(file)) {
    if (isPath) throw new UsageError(`config file ${name}: no such file`);
    const configs = namesIn(SERVER_CONFIGS, '.conf');
    const near = nearest(name, configs);
    const hint = near === null ? '' : `, did you mean "${near}"?`;
    throw new UsageError(`unknown config "${name}"${hint} (configs: ${configs.join(', ')})`);
  }
  return parseConfig(path.basename(file, '.conf'), readText(file, 'config file'), file);
}
