import fs from 'node:fs';
import path from 'node:path';
import type { Build } from '../builds/build.ts';
import type { ServerConfig } from './resolve-config.ts';

/** Settings with libraries without which a server, or a session, does not start; and where a bare name is. */
const PRELOADED: Readonly<Record<string, string>> = {
  shared_preload_libraries: '',
  session_preload_libraries: '',
  local_preload_libraries: 'plugins',
};

/** Where builds have their libraries, below their root. */
const LIBRARY_FOLDERS = ['lib/postgresql', 'lib', 'lib64/postgresql', 'lib64'];

/** Every build has it: initdb needs it. */
const LANDMARK = 'dict_snowball.so';

/** A setting that names libraries which a build does not have. */
export interface MissingLibraries {
  readonly setting: ServerConfig['settings'][number];
  readonly files: readonly string[];
}

/**
 * The libraries that a configuration has the server load and that are not there: `postgres -C` does not
 * load them. Nothing is said where the build's libraries are not found, or the configuration has a path for
 * them.
 */
export function missingLibraries(
  { settings }: Pick<ServerConfig, 'settings'>,
  { root }: Pick<Build, 'root'>,
): MissingLibraries[] {
  const folder = LIBRARY_FOLDERS.map((name) => path.join(root, name)).find((directory) =>
    fs.existsSync(path.join(directory, LANDMARK)),
  );
  if (folder === undefined || settings.some(({ name }) => name === 'dynamic_library_path')) {
    return [];
  }
  return settings.flatMap((setting) => {
    const below = PRELOADED[setting.name];
    if (below === undefined) return [];
    const files = librariesIn(setting.value)
      .map((library) => fileOf(library, folder, below))
      .filter((file) => !fs.existsSync(file) && !fs.existsSync(`${file}.so`));
    return files.length === 0 ? [] : [{ setting, files }];
  });
}

/** The list as PostgreSQL splits it (SplitDirectoriesString): at commas, apart from those in double quotes. */
function librariesIn(value: string): string[] {
  return (value.match(/(?:"(?:[^"]|"")*"|[^,"])+/g) ?? [])
    .map((entry) => entry.trim().replaceAll(/"((?:[^"]|"")*)"/g, '$1'))
    .filter((entry) => entry !== '');
}

function fileOf(library: string, folder: string, below: string): string {
  if (!library.includes('/')) return path.join(folder, below, library);
  return path.resolve(folder, library.replace('$libdir', folder));
}
