import type { Build } from '../builds/build.ts';
import { askBuild } from './ask-build.ts';
import { describeValue } from './describe-value.ts';
import type { ResolvedSetting, ServerConfig } from './resolve-config.ts';

/** A setting as it is in force under a configuration, and what the configuration says about it. */
export interface EffectiveSetting {
  /** With its unit, as the server would show it; null: this build has no such setting unless it is set. */
  readonly value: string | null;
  /** null: the configuration leaves the default. */
  readonly setBy: ResolvedSetting | null;
}

/** A setting under two configurations. */
export interface SettingPair {
  readonly name: string;
  readonly a: EffectiveSetting;
  readonly b: EffectiveSetting;
}

/**
 * Every setting that one of two configurations sets, as a build would have it under each. The build is asked
 * for each value, so spellings and units do not count and defaults are the build's own.
 */
export async function compareConfigs(
  a: ServerConfig,
  b: ServerConfig,
  build: Build,
): Promise<SettingPair[]> {
  const names = [...new Set([...a.settings, ...b.settings].map(({ name }) => name))].sort();
  const units = await readUnits(build, names);
  const [ofA, ofB] = [await effective(a, build, names), await effective(b, build, names)];
  const side = (config: ServerConfig, values: ReadonlyMap<string, string | null>, name: string) => {
    const value = values.get(name) ?? null;
    return {
      value: value === null ? null : describeValue(value, units.get(name) ?? null),
      setBy: config.settings.find((setting) => setting.name === name) ?? null,
    };
  };
  return names.map((name) => ({ name, a: side(a, ofA, name), b: side(b, ofB, name) }));
}

function effective(
  { text }: ServerConfig,
  build: Build,
  names: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  return askBuild(build, text, async (ask) => {
    const values = new Map<string, string | null>();
    for (const name of names) values.set(name, (await ask(name)).value);
    return values;
  });
}

/** Below the least value of every setting that is a number. */
const TOO_SMALL = '-2000000000';

/**
 * The units of settings (`8kB`, `ms`). Before it has a data directory a build tells them only when it
 * refuses a value as out of range, so it is given one that it must refuse.
 */
async function readUnits(build: Build, names: readonly string[]): Promise<Map<string, string>> {
  const text = names.map((name) => `${name} = ${TOO_SMALL}\n`).join('');
  const { complaints } = await askBuild(build, text, (ask) => ask('max_connections'));
  const units = new Map<string, string>();
  for (const line of complaints) {
    const match = /: {2}\S+ (\S+) is outside the valid range for parameter "([^"]+)"/.exec(line);
    if (match !== null) units.set((match[2] as string).toLowerCase(), match[1] as string);
  }
  return units;
}
