import { type ParsedLine, parseComment, parseLine } from './grammar.ts';
import { OWNED_SETTINGS } from './owned-settings.ts';
import { errorAt, forEachAtOnce, type Place } from './place.ts';
import type { VersionRange } from './versions.ts';
import { ANY_VERSION, commonVersions, describeVersions, parseVersions } from './versions.ts';

/** A line that sets a value, on the versions it holds for. */
export interface SettingLine {
  readonly kind: 'setting';
  readonly name: string;
  /** The value as it stands in the file, with its quotes. */
  readonly written: string;
  /** What PostgreSQL reads from it; of a share of memory the words. */
  readonly value: string;
  /** Per cent of `N% of memory`; null for a plain value. */
  readonly memoryPercent: number | null;
  readonly versions: VersionRange;
  readonly place: Place;
}

/** A line in whose place another file's lines stand. */
export interface IncludeLine {
  readonly kind: 'include';
  /** As it is written. */
  readonly target: string;
  readonly place: Place;
}

/** One configuration file, without what it includes. */
export interface ConfigFile {
  /** The first line, where that is a comment; else null. */
  readonly description: string | null;
  /** What the header says; ANY_VERSION without one. */
  readonly versions: VersionRange;
  readonly lines: readonly (SettingLine | IncludeLine)[];
}

/**
 * Reads a configuration file in postgresql.conf's syntax, with three additions: `N% of memory` as a value,
 * a comment `# versions: 13-17` above the first setting for the whole file, and the same at the end of a
 * line for that line.
 *
 * @param origin the file's name for messages, and the include that led to it
 * @throws UsageError with file and line of every line that is no setting, or a setting that is the runner's
 */
export function parseConfigFile(text: string, origin: Omit<Place, 'line'>): ConfigFile {
  const lines: (SettingLine | IncludeLine)[] = [];
  let header: VersionRange | null = null;
  let description: string | null = null;
  forEachAtOnce(text.split('\n'), (line, index) => {
    const place = { ...origin, line: index + 1 };
    const comment = parseComment(line);
    if (comment === null) {
      lines.push(readLine(line, place));
      return;
    }
    const versions = readVersions(comment, place);
    if (versions === null) {
      if (index === 0) description = comment.replace(/^#+\s*/, '') || null;
      return;
    }
    if (header !== null) throw errorAt(place, 'the versions were given before: expected once');
    if (lines.length > 0) {
      throw errorAt(
        place,
        'versions of the file belong above its first setting, versions of a setting at the end of its line',
      );
    }
    header = versions;
  });
  const versions: VersionRange = header ?? ANY_VERSION;
  forEachAtOnce(lines, (line) => checkOverlap(line, versions));
  return { description, versions, lines };
}

function readLine(line: string, place: Place): SettingLine | IncludeLine {
  const parsed = parseLine(line);
  if (parsed === null) {
    throw errorAt(
      place,
      `expected "name = value", the value in single quotes unless it is a word, a plain number or a share such as 25% of memory, got ${JSON.stringify(line.trim())}`,
    );
  }
  const versions = readVersions(parsed.comment, place);
  if (/^include(_dir|_if_exists)?$/.test(parsed.name)) return readInclude(parsed, versions, place);
  const reason = OWNED_SETTINGS[parsed.name];
  if (reason !== undefined) throw errorAt(place, `${parsed.name} is set by ibench: ${reason}`);
  checkShare(parsed, place);
  const { comment: _, ...setting } = parsed;
  return { kind: 'setting', ...setting, versions: versions ?? ANY_VERSION, place };
}

/** Sizes on disk, where more than the memory makes sense. */
const ON_DISK = new Set([
  'max_slot_wal_keep_size',
  'max_wal_size',
  'min_wal_size',
  'temp_file_limit',
  'wal_keep_size',
]);

function checkShare({ name, written, memoryPercent }: ParsedLine, place: Place): void {
  if (memoryPercent === null) return;
  if (memoryPercent === 0) throw errorAt(place, `${name} = ${written}: expected more than 0%`);
  if (memoryPercent <= 100 || ON_DISK.has(name)) return;
  throw errorAt(place, `${name} = ${written}: expected at most 100%, there is no more memory`);
}

function readInclude(
  { name, value }: ParsedLine,
  versions: VersionRange | null,
  place: Place,
): IncludeLine {
  if (name !== 'include') {
    throw errorAt(place, `${name} is not possible here: name each file with include 'name'`);
  }
  if (value === '') throw errorAt(place, "include: expected a name, for example include 'base'");
  if (versions !== null) {
    throw errorAt(place, 'an include holds for all versions: give them in the file, or per line');
  }
  return { kind: 'include', target: value, place };
}

/** The versions that a comment gives; null for a comment about something else. */
function readVersions(comment: string, place: Place): VersionRange | null {
  const match = /^#+\s*(versions?)\s*:(.*)$/i.exec(comment);
  if (match === null) return null;
  const versions = match[1] === 'versions' ? parseVersions(match[2] as string) : null;
  if (versions !== null) return versions;
  throw errorAt(
    place,
    `expected "# versions: 13-17", "# versions: 13-" or "# versions: 15", got ${JSON.stringify(comment)}`,
  );
}

/** A line that holds for no version of the file was meant otherwise. */
function checkOverlap(line: SettingLine | IncludeLine, versions: VersionRange): void {
  if (line.kind === 'include' || commonVersions(line.versions, versions) !== null) return;
  throw errorAt(
    line.place,
    `${line.name} is for versions ${describeVersions(line.versions)}, its file for ${describeVersions(versions)}: it would never hold`,
  );
}
