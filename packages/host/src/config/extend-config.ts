import { type IncludeLine, parseConfigFile, type SettingLine } from './config-file.ts';
import { parseLine } from './grammar.ts';
import type { Config } from './load-config.ts';
import { errorAt } from './place.ts';

/** Settings that come after those of a configuration. */
export interface Extension {
  /** What the whole is called. */
  readonly name: string;
  /** Values by name, without quotes; `25% of memory` is possible. */
  readonly settings: Readonly<Record<string, string>>;
  /** Who says so, in place of a file. */
  readonly origin: string;
}

/**
 * A configuration with settings at its end.
 *
 * @throws UsageError for a setting that is the runner's, or an include
 */
export function extendConfig(config: Config, { name, settings, origin }: Extension): Config {
  const text = Object.entries(settings).map(([setting, value]) => writeLine(setting, value));
  const { lines } = parseConfigFile(text.join('\n'), { file: origin, from: null });
  return { ...config, name, lines: [...config.lines, ...lines.map(onlySetting)] };
}

function onlySetting(line: SettingLine | IncludeLine): SettingLine {
  if (line.kind === 'setting') return line;
  throw errorAt(line.place, 'include is possible in a file only');
}

function writeLine(name: string, value: string): string {
  const plain = `${name} = ${value}`;
  const isShare = (parseLine(plain)?.memoryPercent ?? null) !== null;
  return isShare ? plain : `${name} = '${value.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
}
