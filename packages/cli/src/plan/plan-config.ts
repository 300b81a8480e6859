import { type ConfigEntry, changedName } from '@ibench/core';
import { parseConfig, type ServerConfig } from '@ibench/host';
import { readConfig } from '../read-config.ts';

/**
 * The configuration of a plan's entry: the one that it names, and its settings at the end.
 *
 * @throws UsageError for an unknown configuration, or a setting that is the runner's
 */
export function readPlanConfig({ config, settings }: ConfigEntry): ServerConfig {
  const base = readConfig(config);
  const changes = Object.entries(settings);
  if (changes.length === 0) return base;
  const lines = changes.map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`,
  );
  const name = changedName(base.name, settings);
  const text = `${base.text.trimEnd()}\n# changed by the plan\n${lines.join('\n')}\n`;
  return parseConfig(name, text, `${base.name} with the plan's settings`);
}
