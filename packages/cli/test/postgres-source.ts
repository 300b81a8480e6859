import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { defaultBuildsDirectory } from '@ibench/host';
import { temporaryDirectory } from './support.ts';

/** The folder that tests of all packages, and later runs of them, share. */
export const SHARED_BUILDS = defaultBuildsDirectory(process.env);

/**
 * The source of PostgreSQL: what IBENCH_TEST_SOURCE names, else the original archive in Debian's source
 * package, kept beside the shared builds.
 *
 * @returns null where there is neither
 */
export function postgresSource(t: TestContext): string | null {
  const named = process.env.IBENCH_TEST_SOURCE;
  if (named !== undefined) return named;
  const sources = path.join(SHARED_BUILDS, '..', 'sources');
  const kept = unpackedIn(sources);
  if (kept !== null) return kept;
  fs.mkdirSync(sources, { recursive: true });
  const archive = fetchArchive(temporaryDirectory(t));
  if (archive === null) return null;
  const unpacking = fs.mkdtempSync(path.join(sources, '.unpacking-'));
  spawnSync('tar', ['-xf', archive, '-C', unpacking]);
  const [name] = fs.readdirSync(unpacking);
  if (name !== undefined) fs.renameSync(path.join(unpacking, name), path.join(sources, name));
  fs.rmSync(unpacking, { recursive: true });
  return unpackedIn(sources);
}

function unpackedIn(directory: string): string | null {
  if (!fs.existsSync(directory)) return null;
  const name = fs.readdirSync(directory).find((one) => /^postgresql-\d/.test(one));
  return name === undefined ? null : path.join(directory, name);
}

/** Source packages in this order: the first two need neither bison nor flex. */
const PACKAGES = ['postgresql-15', 'postgresql-16', 'postgresql-17', 'postgresql-18'];

function fetchArchive(directory: string): string | null {
  const parts = sourceEntries(directory);
  const options = [
    ...['-o', 'Dir::Etc::sourcelist=/dev/null', '-o', `Dir::Etc::sourceparts=${parts}`],
    ...[
      '-o',
      `Dir::State::lists=${path.join(directory, 'lists')}`,
      '-o',
      'APT::Sandbox::User=root',
    ],
  ];
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, [...options, '-q', ...args], { cwd: directory, encoding: 'utf8' });
  fs.mkdirSync(path.join(directory, 'lists', 'partial'), { recursive: true });
  run('apt-get', 'update');
  for (const name of PACKAGES) {
    // Not every archive keeps the source of its newest version.
    const { stdout } = run('apt-cache', 'madison', name);
    for (const line of stdout.split('\n')) {
      const version = line.split('|')[1]?.trim();
      if (version === undefined) continue;
      run('apt-get', 'source', '--download-only', `${name}=${version}`);
      const archive = fs.readdirSync(directory).find((file) => /\.orig\.tar\.\w+$/.test(file));
      if (archive !== undefined) return path.join(directory, archive);
    }
  }
  return null;
}

/** The machine's own entries for Debian's archive, with sources instead of programs. */
function sourceEntries(directory: string): string {
  const parts = path.join(directory, 'entries');
  fs.mkdirSync(parts);
  const places = ['/etc/apt/sources.list', '/etc/apt/sources.list.d'];
  const files = places
    .filter((place) => fs.existsSync(place))
    .flatMap((place) =>
      fs.statSync(place).isDirectory()
        ? fs.readdirSync(place).map((name) => path.join(place, name))
        : [place],
    );
  for (const file of files) {
    const text = fs.readFileSync(file, 'utf8');
    if (!/\/debian\/?\s/.test(text)) continue;
    const changed = text
      .replaceAll(/^Types:.*$/gm, 'Types: deb-src')
      .replaceAll(/^deb /gm, 'deb-src ');
    fs.writeFileSync(path.join(parts, path.basename(file)), changed);
  }
  return parts;
}
