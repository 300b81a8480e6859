import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { tableNames, UsageError, type Workload } from '@ibench/core';
import {
  type Build,
  findBuild,
  inspectExternalServer,
  parseConnectionString,
  type ServerAccess,
  type ServerConfig,
  type ServerUser,
  serverUser,
} from '@ibench/host';
import { checkTarget } from './check-target.ts';
import { connectionsNeeded, lackOfConnections } from './connections.ts';
import { buildsDirectory, connectionDefaults } from './environment.ts';
import { configFor, readConfig } from './read-config.ts';
import type { NamedWorkload } from './read-workload.ts';
import { refusedCommands } from './refused-commands.ts';

/** A server that is made and started for the run. */
export interface OwnServerChoice {
  readonly kind: 'own';
  readonly build: Build;
  readonly config: ServerConfig;
  readonly user: ServerUser | null;
  /** Folder for the server's data; null: in the run's folder. */
  readonly dataDirectory: string | null;
  readonly keepData: boolean;
  readonly listenPort: number | null;
}

/** A server that runs already, and goes on running. */
export interface ExternalServerChoice {
  readonly kind: 'external';
  readonly access: ServerAccess;
  readonly version: string;
  /** Where ssh finds the server's host; null: it is not asked. */
  readonly ssh: string | null;
  readonly dropForeign: boolean;
  readonly keepTables: boolean;
}

export type ServerChoice = OwnServerChoice | ExternalServerChoice;

/** What the user said about the server. */
export interface ServerArguments {
  readonly server: string | undefined;
  readonly serverSsh: string | undefined;
  readonly dropTables: boolean;
  readonly keepTables: boolean;
  readonly build: string | undefined;
  /** Folder of the registered builds; nothing: the default one. */
  readonly buildsDir: string | undefined;
  readonly allowDebugBuild: boolean;
  readonly config: string | undefined;
  readonly dataDir: string | undefined;
  readonly keepData: boolean;
  readonly listen: number | undefined;
  readonly serverUser: string | undefined;
  readonly allowExec: boolean;
}

/**
 * Checks what the user said about the server. One that runs already is connected to and looked at.
 *
 * @throws UsageError for what does not go together or does not exist, RunError for a server that a run
 *   cannot use
 */
export async function chooseServer(
  args: ServerArguments,
  workload: NamedWorkload,
): Promise<ServerChoice> {
  refuse(args.server === undefined ? EXTERNAL_ONLY : OWN_ONLY, args);
  return args.server === undefined
    ? chooseOwn(args, workload)
    : chooseExternal(args.server, args, workload.workload);
}

/** Names of build and config for tables and the store. */
export function namesOf(choice: ServerChoice): { readonly build: string; readonly config: string } {
  return choice.kind === 'own'
    ? { build: choice.build.name, config: choice.config.name }
    : { build: `pg${choice.version}`, config: 'external' };
}

/** Is it a server whose build is only for finding bugs? */
export function isDebugBuild(choice: ServerChoice): boolean {
  return choice.kind === 'own' && choice.build.isDebug;
}

function debugBuildRefused({ name, debugReasons }: Build): string {
  return `build ${name} is for finding bugs: ${debugReasons.join(', ')}; its numbers are not those of a build that people run: take another, or add --allow-debug-build, and every table says so`;
}

interface Refusal {
  readonly options: readonly (readonly [name: string, key: keyof ServerArguments])[];
  readonly why: string;
}

const OWN_ONLY: Refusal = {
  options: [
    ['build', 'build'],
    ['builds-dir', 'buildsDir'],
    ['allow-debug-build', 'allowDebugBuild'],
    ['config', 'config'],
    ['data-dir', 'dataDir'],
    ['keep-data', 'keepData'],
    ['listen', 'listen'],
    ['server-user', 'serverUser'],
    ['allow-exec', 'allowExec'],
  ],
  why: 'the server of --server runs already, and is neither configured, started nor stopped',
};

const EXTERNAL_ONLY: Refusal = {
  options: [
    ['server-ssh', 'serverSsh'],
    ['drop-tables', 'dropTables'],
    ['keep-tables', 'keepTables'],
  ],
  why: 'it is for a server that runs already, see --server',
};

function refuse({ options, why }: Refusal, args: ServerArguments): void {
  for (const [name, key] of options) {
    if (args[key] !== undefined && args[key] !== false) throw new UsageError(`--${name}: ${why}`);
  }
}

async function chooseOwn(
  args: ServerArguments,
  { name, workload }: NamedWorkload,
): Promise<OwnServerChoice> {
  const { listen } = args;
  const requested = readConfig(args.config ?? 'base');
  const user = serverUser(args.serverUser);
  const build = await findBuild(args.build, buildsDirectory(args.buildsDir));
  if (build.isDebug && !args.allowDebugBuild) throw new UsageError(debugBuildRefused(build));
  if (listen !== undefined && !(Number.isInteger(listen) && listen > 0 && listen < 65_536)) {
    throw new UsageError(`--listen ${listen}: expected a port from 1 to 65535`);
  }
  if (listen !== undefined) await checkPortFree(listen);
  const dataDirectory = args.dataDir === undefined ? null : path.resolve(args.dataDir);
  if (dataDirectory !== null && fs.existsSync(dataDirectory)) {
    throw new UsageError(`--data-dir ${args.dataDir}: is there already; name a folder to be made`);
  }
  if (dataDirectory !== null) checkTarget('--data-dir', dataDirectory, 'folder');
  const config = await configFor(requested, build);
  const problem =
    lackOfConnections(config, workload, { config: config.name, workload: name }) ??
    (args.allowExec ? null : refusedCommands(config));
  if (problem !== null) throw new UsageError(problem);
  return {
    kind: 'own',
    build,
    config,
    user,
    dataDirectory,
    keepData: args.keepData,
    listenPort: listen ?? null,
  };
}

/** The server would find out as well, but only after initdb. */
async function checkPortFree(port: number): Promise<void> {
  const probe = net.createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, '127.0.0.1', resolve);
    });
  } catch (cause) {
    throw new UsageError(
      `--listen ${port}: the port cannot be used (${(cause as Error).message}); name another`,
      { cause },
    );
  } finally {
    probe.close();
  }
}

async function chooseExternal(
  server: string,
  args: ServerArguments,
  workload: Workload,
): Promise<ExternalServerChoice> {
  const access = parseConnectionString(server, connectionDefaults());
  const ssh = args.serverSsh ?? null;
  // What begins with a hyphen would be an option of ssh.
  if (ssh !== null && !/^[^-\s]\S*$/.test(ssh)) {
    throw new UsageError(`--server-ssh ${JSON.stringify(ssh)}: expected a host, or user@host`);
  }
  const dropForeign = args.dropTables;
  const tables = tableNames(workload);
  const wanted = { tables, options: workload, dropForeign };
  const version = await inspectExternalServer(access, wanted, connectionsNeeded(workload));
  return { kind: 'external', access, version, ssh, dropForeign, keepTables: args.keepTables };
}
