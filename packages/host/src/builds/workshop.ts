import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { makeFolder } from '../folders.ts';
import { isRunning, processToken } from '../process.ts';
import { BUILDS_DIR } from './builds-directory.ts';

const PREFIX = '.unfinished-';
const OWNER = 'owner.json';

/**
 * Runs `work` in a folder of its own beside the registered builds, from where a finished build can be moved
 * into its place at once. The folder is removed afterwards; that of a process that was killed is removed by the
 * next one.
 *
 * @throws UsageError when the folder cannot be made
 */
export async function inWorkshop<T>(
  buildsDirectory: string,
  work: (workshop: string) => Promise<T>,
): Promise<T> {
  const workshop = makeWorkshop(buildsDirectory);
  try {
    return await work(workshop);
  } finally {
    fs.rmSync(workshop, { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeWorkshop(buildsDirectory: string): string {
  makeFolder(BUILDS_DIR, buildsDirectory);
  try {
    removeUnfinished(buildsDirectory);
    const workshop = fs.mkdtempSync(path.join(buildsDirectory, `${PREFIX}${process.pid}-`));
    const owner = { pid: process.pid, token: processToken(process.pid) };
    fs.writeFileSync(path.join(workshop, OWNER), JSON.stringify(owner));
    return workshop;
  } catch (cause) {
    throw new UsageError(
      `builds cannot be kept in ${buildsDirectory}: ${(cause as Error).message}; name another folder with ${BUILDS_DIR}`,
      { cause },
    );
  }
}

/** Removes what processes that are gone have left. */
function removeUnfinished(buildsDirectory: string): void {
  for (const name of fs.readdirSync(buildsDirectory)) {
    if (!name.startsWith(PREFIX)) continue;
    const workshop = path.join(buildsDirectory, name);
    if (!isInUse(workshop)) fs.rmSync(workshop, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isInUse(workshop: string): boolean {
  try {
    const { pid, token } = JSON.parse(fs.readFileSync(path.join(workshop, OWNER), 'utf8'));
    return isRunning(pid, token);
  } catch {
    // Its owner is about to write the note, or was killed before.
    const pid = Number(path.basename(workshop).slice(PREFIX.length).split('-')[0]);
    return processToken(pid) !== null;
  }
}
