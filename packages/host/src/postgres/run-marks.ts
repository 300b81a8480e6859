import fs from 'node:fs';
import path from 'node:path';
import { socketBases } from './reach.ts';

const MARK = 'run';

/** Notes in a socket's directory which run it belongs to, so that it is found from any other run. */
export function markSocketDirectory(socketDirectory: string, runDirectory: string): void {
  fs.writeFileSync(path.join(socketDirectory, MARK), runDirectory, { mode: 0o600 });
}

/**
 * Folders of the runs, of this user, that have or had a server on this host, wherever their results are
 * kept. A mark that someone else wrote does not count.
 */
export function markedRunDirectories(): string[] {
  const bases = socketBases().filter((base) => fs.existsSync(base));
  return bases.flatMap((base) =>
    fs
      .readdirSync(base)
      .filter((name) => name.startsWith('ibench-'))
      .flatMap((name) => readMark(path.join(base, name, MARK))),
  );
}

function readMark(file: string): string[] {
  try {
    const stat = fs.lstatSync(file);
    if (!stat.isFile() || stat.uid !== process.getuid?.()) return [];
    return [fs.readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
