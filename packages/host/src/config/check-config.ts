import { nearest, UsageError } from '@ibench/core';
import type { Build } from '../builds/build.ts';
import { askBuild, describedSettings } from './ask-build.ts';
import { findConflicts } from './conflicts.ts';
import { missingLibraries } from './missing-libraries.ts';
import { describeIncludes } from './place.ts';
import type { ResolvedSetting, ServerConfig } from './resolve-config.ts';

/** Something that is wrong with a setting. */
interface Finding {
  readonly setting: ResolvedSetting;
  readonly words: string;
}

/**
 * Asks the build whether it would take a configuration; nothing is started, no data is made.
 *
 * @throws UsageError with file and line of every setting that it does not know, whose value it refuses, that names a
 *   library which it does not have, that conflicts with another, or that would have no effect
 */
export async function checkConfigOnBuild(config: ServerConfig, build: Build): Promise<void> {
  const { findings, complaints } = await askAll(config, build);
  const all = [
    ...findings,
    ...missingLibraries(config, build).map(({ setting, files }) => ({
      setting,
      words: `there is no ${files.join(', no ')}`,
    })),
    ...idleArchiving(config),
  ];
  const lines = config.settings.flatMap((setting) =>
    all.filter((one) => one.setting === setting).map(({ words }) => `${placed(setting)}: ${words}`),
  );
  if (lines.length + complaints.length > 0)
    throw unusable(config, build, [...lines, ...complaints]);
}

/**
 * Asks until the build has no more to say: it keeps quiet about values while there is a name that it does not know,
 * and about conflicts while there is such a value.
 *
 * @returns what is wrong with settings; and, as it came, what names none
 */
async function askAll(config: ServerConfig, build: Build) {
  const findings: Finding[] = [];
  for (;;) {
    const faulty = new Set(findings.map(({ setting }) => setting.name));
    const { complaints, conflicts } = await ask(config, build, faulty);
    const found = await findingsIn(complaints, config, build);
    const more = found.filter(({ setting }) => !faulty.has(setting.name));
    if (more.length === 0) return { findings: [...findings, ...conflicts], complaints };
    findings.push(...more);
  }
}

/** One question, with some settings left out; a rule that looks at one of them has nothing to go by. */
function ask({ text, settings }: ServerConfig, build: Build, without: ReadonlySet<string>) {
  const lines = text.split('\n').filter((line) => !without.has(line.split(' ')[0] as string));
  return askBuild(build, lines.join('\n'), async (askOne) => {
    const { value, complaints } = await askOne('max_connections');
    if (value === null) return { complaints, conflicts: [] };
    const read = async (name: string): Promise<string | null> => {
      if (settings.some((setting) => setting.name === name)) return (await askOne(name)).value;
      return await defaultOf(build, name, async () => (await askOne(name)).value);
    };
    return { complaints: [], conflicts: await findConflicts(settings, read, without) };
  });
}

/** By program and setting: a plan asks the same of a build for every configuration. */
const defaults = new Map<string, string | null>();

async function defaultOf(
  build: Build,
  name: string,
  read: () => Promise<string | null>,
): Promise<string | null> {
  const key = `${build.root}\0${name}`;
  const known = defaults.get(key);
  if (known !== undefined) return known;
  const value = await read();
  defaults.set(key, value);
  return value;
}

/** What the words of a build say of settings of the configuration. */
async function findingsIn(
  complaints: readonly string[],
  { settings }: ServerConfig,
  build: Build,
): Promise<Finding[]> {
  const faults = readComplaints(complaints);
  const known = faults.some(({ isUnknown }) => isUnknown) ? await describedSettings(build) : [];
  return faults.flatMap(({ name, words, isUnknown }) => {
    const setting = settings.find((one) => one.name === name);
    if (setting === undefined) return [];
    const near = isUnknown ? nearest(name, known) : null;
    const what = isUnknown ? `${build.name} has no such setting` : words;
    return [{ setting, words: `${what}${near === null ? '' : `, did you mean ${near}?`}` }];
  });
}

/** Without archive_mode a server says of its archive_command that it is disabled. */
function idleArchiving({ settings }: ServerConfig): Finding[] {
  const mode = settings.find(({ name }) => name === 'archive_mode')?.value ?? 'off';
  if (!/^(off|false|no|0)$/i.test(mode)) return [];
  return settings
    .filter(({ name, value }) => name === 'archive_command' && value !== '')
    .map((setting) => ({ setting, words: 'without archive_mode = on it is disabled' }));
}

function unusable(config: ServerConfig, build: Build, lines: readonly string[]): UsageError {
  return new UsageError(
    `config ${config.name} cannot be used with ${build.name}:\n  ${lines.join('\n  ')}`,
  );
}

function placed({ name, value, expression, place }: ResolvedSetting): string {
  const shown = expression === null ? value : `${expression}, ${value}`;
  return `${place.file}:${place.line}: ${name} = ${shown}${describeIncludes(place)}`;
}

interface Fault {
  readonly name: string;
  readonly words: string;
  readonly isUnknown: boolean;
}

/** A message that names a setting, with the detail and hint that follow it. */
function readComplaints(lines: readonly string[]): Fault[] {
  const faults: Fault[] = [];
  for (const line of lines) {
    const [, severity, words] =
      /\b(LOG|WARNING|ERROR|FATAL|DETAIL|HINT): {2}(.*)$/.exec(line) ?? [];
    if (severity === undefined || words === undefined) continue;
    const last = faults.at(-1);
    if (severity === 'DETAIL' || severity === 'HINT') {
      if (last !== undefined)
        faults[faults.length - 1] = { ...last, words: `${last.words}; ${words}` };
      continue;
    }
    const name = /parameter "([^"]+)"/.exec(words)?.[1];
    if (name === undefined) continue;
    const isUnknown = words.startsWith('unrecognized configuration parameter');
    faults.push({ name: name.toLowerCase(), words, isUnknown });
  }
  return faults;
}
