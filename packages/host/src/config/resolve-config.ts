import { UsageError } from '@ibench/core';
import type { SettingLine } from './config-file.ts';
import type { Config } from './load-config.ts';
import { type Place, shortPlace } from './place.ts';
import { describeVersions, hasVersion, majorVersion } from './versions.ts';

/** A setting that is asked for, with where that is said. */
export interface RequestedSetting {
  readonly name: string;
  /** The value without its quotes. */
  readonly value: string;
  /** `a0.conf:12`. */
  readonly origin: string;
}

/** A setting of a configuration on a certain build and host. */
export interface ResolvedSetting extends RequestedSetting {
  /** The words that the value was computed from (`25% of memory`); null for a plain value. */
  readonly expression: string | null;
  /** Origins of the lines that this one overrules. */
  readonly overrules: readonly string[];
  readonly place: Place;
}

/** A configuration as a server gets it. */
export interface ServerConfig {
  readonly name: string;
  /** Lines for the end of postgresql.conf, each with its origin and, where it was computed, from what. */
  readonly text: string;
  /** In the order of the text. */
  readonly settings: readonly ResolvedSetting[];
  /** The memory that shares were taken of, bytes; null: there are none. */
  readonly memoryBytes: number | null;
}

/** What a configuration is resolved for. */
export interface ConfigTarget {
  readonly build: { readonly name: string; readonly version: string };
  /** Memory of the server's host, bytes. */
  readonly memoryBytes: number;
}

/**
 * What a configuration means for a build and a host: lines for other versions left out, of a name given
 * twice the last, shares of memory computed.
 *
 * @throws UsageError for a build of a version that the configuration is not for
 */
export function resolveConfig(config: Config, { build, memoryBytes }: ConfigTarget): ServerConfig {
  const major = majorVersion(build);
  if (!hasVersion(config.versions, major)) {
    throw new UsageError(
      `config ${config.name} is for versions ${describeVersions(config.versions)}, build ${build.name} has version ${build.version}: choose another config or build`,
    );
  }
  const chosen = new Map<string, SettingLine[]>();
  for (const line of config.lines) {
    if (!hasVersion(line.versions, major)) continue;
    chosen.set(line.name, [...(chosen.get(line.name) ?? []), line]);
  }
  const parts = [...chosen.values()].map((lines) => resolveSetting(lines, memoryBytes));
  const settings = parts.map(({ setting }) => setting);
  const usesMemory = settings.some(({ expression }) => expression !== null);
  const head = [
    `config ${config.name} on version ${major}`,
    ...(config.description === null ? [] : [config.description]),
    ...(usesMemory ? [`memory: ${memoryBytes} bytes`] : []),
  ];
  return {
    name: config.name,
    text: [...head.map((line) => `# ${line}`), ...parts.map(({ text }) => text), ''].join('\n'),
    settings,
    memoryBytes: usesMemory ? memoryBytes : null,
  };
}

function resolveSetting(
  lines: readonly SettingLine[],
  memoryBytes: number,
): { readonly setting: ResolvedSetting; readonly text: string } {
  const { name, memoryPercent, place, ...line } = lines.at(-1) as SettingLine;
  const share = memoryPercent === null ? null : shareOf(memoryBytes, memoryPercent);
  const setting = {
    name,
    value: share ?? line.value,
    origin: shortPlace(place),
    expression: share === null ? null : line.written,
    overrules: lines.slice(0, -1).map((earlier) => shortPlace(earlier.place)),
    place,
  };
  const comment = [
    ...(setting.expression === null ? [] : [setting.expression]),
    setting.origin,
    ...(setting.overrules.length === 0 ? [] : [`overrules ${setting.overrules.join(', ')}`]),
  ];
  return { setting, text: `${name} = ${share ?? line.written}  # ${comment.join('; ')}` };
}

/** A share of the memory in whole megabytes (kilobytes below one), rounded down. */
function shareOf(memoryBytes: number, percent: number): string {
  const kilobytes = Math.floor((memoryBytes * percent) / 100 / 1024);
  return kilobytes >= 1024 ? `${Math.floor(kilobytes / 1024)}MB` : `${kilobytes}kB`;
}
