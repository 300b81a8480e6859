import { type ConfigEntry, changedName } from '@ibench/core';
import { type Config, extendConfig } from '@ibench/host';
import { readConfig } from '../read-config.ts';

/**
 * The configuration of a plan's entry: the one that it names, and its settings at the end.
 *
 * @throws UsageError for an unknown configuration, or a setting that is the runner's
 */
export function readPlanConfig({ config, settings }: ConfigEntry): Config {
  const base = readConfig(config);
  if (Object.keys(settings).length === 0) return base;
  const origin = `${base.name} with the plan's settings`;
  return extendConfig(base, { name: changedName(base.name, settings), settings, origin });
}
