import fs from 'node:fs';
import path from 'node:path';
import { nearest, UsageError } from '@ibench/core';
import { type IncludeLine, parseConfigFile, type SettingLine } from './config-file.ts';
import { errorAt, forEachAtOnce, type Place } from './place.ts';
import { commonVersions, describeVersions, type VersionRange } from './versions.ts';

/** A configuration with everything it includes, before it meets a build. */
export interface Config {
  /** File name without `.conf`. */
  readonly name: string;
  readonly description: string | null;
  /** The versions that it and all it includes are for. */
  readonly versions: VersionRange;
  /** Names of all included files, in the order in which they come. */
  readonly includes: readonly string[];
  /** Of a name given twice the last that holds counts. */
  readonly lines: readonly SettingLine[];
}

/** PostgreSQL's own limit (CONF_FILE_MAX_DEPTH of src/backend/utils/misc/conffiles.h). */
const MAX_DEPTH = 10;

/**
 * Reads a configuration file and those it includes. `include 'base'` means base.conf beside the file that
 * says so.
 *
 * @param read gives the text of a file
 * @throws UsageError with file, line and the includes that led there, of all that cannot be read
 */
export function loadConfig(file: string, read: (file: string) => string = readConfigText): Config {
  const { description, versions, includes, lines } = load({ file, from: null }, [], read);
  return { name: nameOf(file), description, versions, includes, lines };
}

type Loaded = Omit<Config, 'name'>;

function load(
  origin: Omit<Place, 'line'>,
  parents: readonly string[],
  read: (file: string) => string,
): Loaded {
  const { file } = origin;
  const own = parseConfigFile(read(file), origin);
  let { versions } = own;
  const includes: string[] = [];
  const lines: SettingLine[] = [];
  forEachAtOnce(own.lines, (line) => {
    if (line.kind === 'setting') {
      lines.push(line);
      return;
    }
    const included = include(line, [...parents, file], read);
    const common = commonVersions(versions, included.versions);
    if (common === null) {
      throw errorAt(
        line.place,
        `${line.target} is for versions ${describeVersions(included.versions)}, what came before for ${describeVersions(versions)}: no version has both`,
      );
    }
    versions = common;
    includes.push(nameOf(line.target), ...included.includes);
    lines.push(...included.lines);
  });
  return { description: own.description, versions, includes: [...new Set(includes)], lines };
}

function include(
  { target, place }: IncludeLine,
  parents: readonly string[],
  read: (file: string) => string,
): Loaded {
  const directory = path.dirname(place.file);
  const file = path.resolve(directory, target.endsWith('.conf') ? target : `${target}.conf`);
  const known = parents.map((parent) => path.resolve(parent));
  if (known.includes(file)) {
    const circle = [...known.slice(known.indexOf(file)), file].map(nameOf).join(' → ');
    throw errorAt(place, `include '${target}' goes round in a circle: ${circle}`);
  }
  if (parents.length >= MAX_DEPTH) {
    throw errorAt(place, `include '${target}': more than ${MAX_DEPTH} files deep`);
  }
  try {
    return load({ file, from: place }, parents, read);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw errorAt(place, `include '${target}': ${(cause as Error).message}${hint(file)}`, cause);
  }
}

/** The nearest name beside a file that is not there. */
function hint(file: string): string {
  if (fs.existsSync(file)) return '';
  const near = nearest(nameOf(file), configNames(path.dirname(file)));
  return near === null ? '' : `, did you mean '${near}'?`;
}

/** Names of the configurations in a folder; none where it cannot be read. */
function configNames(directory: string): string[] {
  try {
    return fs
      .readdirSync(directory)
      .filter((name) => name.endsWith('.conf'))
      .map(nameOf);
  } catch {
    return [];
  }
}

function nameOf(file: string): string {
  return path.basename(file, '.conf');
}

function readConfigText(file: string): string {
  return fs.readFileSync(file, 'utf8');
}
