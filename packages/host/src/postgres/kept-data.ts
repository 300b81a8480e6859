import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import type { OwnServer } from '../engine.ts';
import { isRunning, processToken } from '../process.ts';
import { type DataDigest, digestData } from './data-copy.ts';
import { isDataDirectory, readOwnNote, writeNote } from './notes.ts';

/** A data directory that later runs start from, as noted beside the run that made it. */
export interface KeptData extends DataDigest {
  readonly dataDirectory: string;
  /** Folder of the run that made it. */
  readonly runDirectory: string;
  /** What the data depends on; only runs with the same key may start from it. */
  readonly key: string;
  /** What it is kept for. */
  readonly owner: string;
}

/** What is to be kept, and what for. */
export type KeepChoice = Pick<KeptData, 'runDirectory' | 'key' | 'owner'>;

interface KeptNote {
  readonly runnerPid: number;
  readonly runnerToken: string;
  readonly dataDirectory: string;
  readonly key: string;
  readonly owner: string;
  /** null: it is being made. */
  readonly digest: DataDigest | null;
}

const NOTE = 'kept.json';

/**
 * Shuts the server down in order and keeps its data, beside where it was. The note is there before the
 * data is, so that a runner that is killed leaves nothing that is not found.
 */
export async function keepData(server: OwnServer, choice: KeepChoice): Promise<KeptData> {
  const { runDirectory, key, owner } = choice;
  const dataDirectory = `${server.dataDirectory}-kept`;
  const note = { ...thisRunner(), dataDirectory, key, owner };
  writeNote(runDirectory, NOTE, { ...note, digest: null });
  await server.handOver(dataDirectory);
  const digest = await digestData(dataDirectory);
  writeNote(runDirectory, NOTE, { ...note, digest });
  return { ...digest, ...choice, dataDirectory };
}

/** Throws RunError unless the data is still what was kept, byte for byte. */
export async function checkKept({ dataDirectory, sha256 }: KeptData): Promise<void> {
  const found = await digestData(dataDirectory);
  if (found.sha256 === sha256) return;
  throw new RunError(
    `the kept data in ${dataDirectory} has changed: its checksum is ${found.sha256}, expected ${sha256}`,
  );
}

/** Makes this process the one that the data is kept for. */
export function adoptKept({
  runDirectory,
  dataDirectory,
  key,
  owner,
  sha256,
  bytes,
}: KeptData): void {
  const digest = { sha256, bytes };
  writeNote(runDirectory, NOTE, { ...thisRunner(), dataDirectory, key, owner, digest });
}

/** Removes kept data and the note of it. */
export function removeKept({
  runDirectory,
  dataDirectory,
}: Pick<KeptData, 'runDirectory' | 'dataDirectory'>): void {
  fs.rmSync(dataDirectory, { recursive: true, force: true });
  fs.rmSync(path.join(runDirectory, NOTE), { force: true });
}

/** Kept data whose runner is gone; null for one that is not complete. */
export interface AbandonedData {
  readonly runDirectory: string;
  readonly dataDirectory: string;
  readonly kept: KeptData | null;
}

/**
 * Finds the data that runners which are gone have kept.
 *
 * @param warn is told of notes that are not to be trusted; what they name stays
 */
export function findAbandoned(
  runDirectories: readonly string[],
  warn: (text: string) => void,
): AbandonedData[] {
  return runDirectories.flatMap((runDirectory) => {
    try {
      const note = readKeptNote(runDirectory);
      if (note === null || isRunning(note.runnerPid, note.runnerToken)) return [];
      const { dataDirectory, key, owner, digest } = note;
      const isThere = digest !== null && fs.existsSync(dataDirectory);
      const kept = isThere ? { ...digest, dataDirectory, runDirectory, key, owner } : null;
      return [{ runDirectory, dataDirectory, kept }];
    } catch (error) {
      warn(`${path.join(runDirectory, NOTE)}: nothing is cleaned up: ${(error as Error).message}`);
      return [];
    }
  });
}

function readKeptNote(runDirectory: string): KeptNote | null {
  const note = readOwnNote(runDirectory, NOTE) as KeptNote | null;
  if (note === null) return null;
  if (!isDataDirectory(note.dataDirectory) || !note.dataDirectory.endsWith('-kept')) {
    throw new Error(`no kept data: ${note.dataDirectory}`);
  }
  return note;
}

function thisRunner() {
  return { runnerPid: process.pid, runnerToken: processToken(process.pid) ?? '' };
}
