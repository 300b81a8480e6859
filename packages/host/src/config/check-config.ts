import { nearest, UsageError } from '@ibench/core';
import type { Build } from '../builds/build.ts';
import { askBuild, describedSettings } from './ask-build.ts';
import { type Conflict, findConflicts } from './conflicts.ts';
import { missingLibraries } from './missing-libraries.ts';
import { describeIncludes } from './place.ts';
import type { ResolvedSetting, ServerConfig } from './resolve-config.ts';

/**
 * Asks the build whether it would take a configuration; nothing is started, no data is made.
 *
 * @throws UsageError with file and line of each setting that it does not know, whose value it refuses, that names a
 *   library which it does not have, that conflicts with another, or that would have no effect
 */
export async function checkConfigOnBuild(config: ServerConfig, build: Build): Promise<void> {
  const { complaints, conflicts } = await askBuild(build, config.text, async (ask) => {
    const { value, complaints } = await ask('max_connections');
    if (value === null) return { complaints, conflicts: [] };
    const read = async (name: string) => (await ask(name)).value;
    return { complaints: null, conflicts: await findConflicts(config.settings, read) };
  });
  if (complaints === null) return refuseAtStart(config, build, conflicts);
  const faults = readComplaints(complaints);
  const byName = new Map(config.settings.map((setting) => [setting.name, setting]));
  const known = faults.some(({ isUnknown }) => isUnknown) ? await describedSettings(build) : [];
  const lines = faults.flatMap(({ name, words, isUnknown }) => {
    const setting = byName.get(name);
    if (setting === undefined) return [];
    const near = isUnknown ? nearest(name, known) : null;
    const what = isUnknown ? `${build.name} has no such setting` : words;
    return [`${placed(setting)}: ${what}${near === null ? '' : `, did you mean ${near}?`}`];
  });
  // What names no setting of ours is shown as it came.
  const shown = lines.length > 0 ? lines : complaints;
  throw unusable(config, build, shown);
}

/** What `postgres -C` takes, and a start would refuse or leave out. */
function refuseAtStart(config: ServerConfig, build: Build, conflicts: readonly Conflict[]): void {
  const lines = [
    ...conflicts.map(({ setting, words }) => `${placed(setting)}: ${words}`),
    ...missingLibraries(config, build).map(
      ({ setting, files }) => `${placed(setting)}: there is no ${files.join(', no ')}`,
    ),
    ...idleArchiving(config),
  ];
  if (lines.length > 0) throw unusable(config, build, lines);
}

/** Without archive_mode a server says of its archive_command that it is disabled. */
function idleArchiving({ settings }: ServerConfig): string[] {
  const mode = settings.find(({ name }) => name === 'archive_mode')?.value ?? 'off';
  if (!/^(off|false|no|0)$/i.test(mode)) return [];
  return settings
    .filter(({ name, value }) => name === 'archive_command' && value !== '')
    .map((setting) => `${placed(setting)}: without archive_mode = on it is disabled`);
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
