import fs from 'node:fs';
import path from 'node:path';
import { RunError } from '@ibench/core';
import { execa } from 'execa';
import type { Build } from '../builds/build.ts';
import type { ServerConfig } from '../config/resolve-config.ts';
import { plainEnvironment } from '../process.ts';
import type { ServerUser } from './server-user.ts';

/** The superuser and database of every run. */
export const SUPERUSER = 'ibench';
export const DATABASE = 'ib';

/** Everything that is decided before the server starts. */
export interface ClusterOptions {
  readonly build: Build;
  readonly config: ServerConfig;
  readonly user: ServerUser | null;
  /** Empty, owned by the server's user. */
  readonly dataDirectory: string;
  readonly socketDirectory: string;
  /** Number in the socket's name, and the loopback port where one is asked for. */
  readonly port: number;
  readonly listen: boolean;
  /** Ends a start early, and lets a stop wait for nothing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the data directory: initdb with UTF8, locale C and the data checksums that this version has by
 * default, then the configuration at the end of postgresql.conf.
 *
 * @throws RunError with initdb's words, or that its path is impossible
 */
export async function createCluster(options: ClusterOptions): Promise<void> {
  const { build, user, dataDirectory, signal } = options;
  refuseShellCharacters(build);
  const args = [
    `--pgdata=${dataDirectory}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    '--locale=C',
    '--auth=trust',
    '--no-instructions',
  ];
  const result = await execa(path.join(build.root, 'bin', 'initdb'), withoutUnknown(args, build), {
    cwd: dataDirectory,
    env: plainEnvironment(),
    extendEnv: false,
    all: true,
    reject: false,
    ...(signal && { cancelSignal: signal }),
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  signal?.throwIfAborted();
  if (result.failed) {
    throw new RunError(
      `initdb of ${build.name} in ${dataDirectory} failed:\n${result.all || result.shortMessage}`,
    );
  }
  writeConfiguration(options);
}

/** Puts the configuration of the run at the end of postgresql.conf, in the place of an earlier run's. */
export function writeConfiguration(options: ClusterOptions): void {
  const file = path.join(options.dataDirectory, 'postgresql.conf');
  const [made] = fs.readFileSync(file, 'utf8').split(CONFIGURATION_MARK);
  fs.writeFileSync(file, `${made}${configurationText(options)}`);
}

/** Begins our part of postgresql.conf. */
const CONFIGURATION_MARK = '\n# --- configuration ';

/** initdb calls postgres through a shell, with its path in double quotes and nothing escaped. */
function refuseShellCharacters({ name, root }: Build): void {
  const found = /["$`\\\n]/.exec(root)?.[0];
  if (found === undefined) return;
  throw new RunError(
    `initdb of ${name} cannot work in ${root}, because of the ${JSON.stringify(found)} in its path: move it to a directory without " $ \` \\`,
  );
}

/** --no-instructions came with version 14. */
function withoutUnknown(args: readonly string[], build: Build): string[] {
  return args.filter(
    (arg) => arg !== '--no-instructions' || Number.parseInt(build.version, 10) >= 14,
  );
}

/** Our lines come last, since of a name given twice the last counts. */
function configurationText({ config, socketDirectory, port, listen }: ClusterOptions): string {
  return `${CONFIGURATION_MARK}${config.name} ---
${config.text}
# --- set by ibench for every run ---
unix_socket_directories = '${socketDirectory.replaceAll("'", "''")}'
listen_addresses = '${listen ? '127.0.0.1' : ''}'
port = ${port}
logging_collector = off
log_destination = 'stderr'
`;
}
