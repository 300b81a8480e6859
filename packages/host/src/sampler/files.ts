import { readFileSync } from 'node:fs';

/** Reads files whole, all at one moment as far as the place allows; rejects when one cannot be read. */
export type ReadFiles = (paths: readonly string[]) => Promise<readonly string[]>;

/** Files of this host; read at once, before the call returns. */
export const readLocalFiles: ReadFiles = async (paths) =>
  paths.map((path) => readFileSync(path, 'utf8'));

/** Where vmstat, iostat and /proc are: this host, or another one. */
export interface SamplerPlace {
  /** How a tool is started here so that it runs there. */
  command(name: string, args: readonly string[]): readonly [file: string, ...args: string[]];
  readonly readFiles: ReadFiles;
}

export const LOCAL_PLACE: SamplerPlace = {
  command: (name, args) => [name, ...args],
  readFiles: readLocalFiles,
};
