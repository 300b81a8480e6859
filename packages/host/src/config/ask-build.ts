import fs from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import type { Build } from '../builds/build.ts';
import { plainEnvironment } from '../process.ts';
import { inTemporaryDirectory } from '../temporary-directory.ts';

/** What postgres said about one setting of a configuration. */
export interface BuildAnswer {
  /** In the setting's own unit; null where it refuses the configuration or has no such setting. */
  readonly value: string | null;
  /** Its words, a line each. */
  readonly complaints: readonly string[];
}

/**
 * Puts a configuration before a build's postgres, without a data directory, and asks for values that would
 * be in force (`postgres -C`, which root may do too).
 *
 * @param work gets a function that asks for one setting
 */
export async function askBuild<Result>(
  build: Build,
  text: string,
  work: (ask: (name: string) => Promise<BuildAnswer>) => Promise<Result>,
): Promise<Result> {
  return inTemporaryDirectory('ask', async (directory) => {
    fs.writeFileSync(path.join(directory, 'postgresql.conf'), text);
    return await work(async (name) => {
      // Root may ask only if -C comes first.
      const { failed, stdout, stderr, shortMessage } = await runPostgres(build, [
        '-C',
        name,
        '-D',
        directory,
      ]);
      if (!failed) return { value: stdout, complaints: [] };
      return { value: null, complaints: stderr === '' ? [shortMessage ?? ''] : stderr.split('\n') };
    });
  });
}

/** Names of the settings that a build has, but for those that it hides (developers' and old spellings). */
export async function describedSettings(build: Build): Promise<string[]> {
  const { stdout } = await runPostgres(build, ['--describe-config']);
  return stdout.split('\n').map((line) => line.split('\t')[0] as string);
}

/** Longer than it ever takes: a program that hangs must not hang us. */
const TIMEOUT_MS = 30_000;

async function runPostgres(build: Build, args: readonly string[]) {
  const result = await execa(path.join(build.root, 'bin', 'postgres'), args, {
    env: plainEnvironment(),
    extendEnv: false,
    stdin: 'ignore',
    timeout: TIMEOUT_MS,
    reject: false,
  });
  const { failed, stdout, stderr, shortMessage } = result;
  return { failed, stdout: stdout ?? '', stderr: stderr ?? '', shortMessage };
}
