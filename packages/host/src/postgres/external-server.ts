import type { TableOptions } from '@ibench/core';
import { RunError, UsageError } from '@ibench/core';
import { abortable } from '../abortable.ts';
import type { DatabaseServer } from '../engine.ts';
import { type FoundHost, findHost } from '../reader/find-host.ts';
import { type Admin, openAdmin, run } from './admin.ts';
import { type ClientLibrary, connectedServer } from './connected-server.ts';
import { describeAccess, type ServerAccess } from './connection-string.ts';
import {
  dropMarkedTables,
  findTablesToDrop,
  makeMarkedTables,
  type WantedTables,
} from './marked-tables.ts';
import { checkSettings, readBuildFacts } from './statistics.ts';
import { watchRestart } from './watch-restart.ts';

/** What a run asks of a server that is someone else's. */
export interface ExternalOptions extends ClientLibrary {
  readonly access: ServerAccess;
  /** Where ssh finds the server's host; null: it is read only if it is this one. */
  readonly ssh: string | null;
  readonly runId: string;
  /** How the runner's own connections are called. */
  readonly applicationName: string;
  /** May tables be dropped that ibench did not make? */
  readonly dropForeign: boolean;
  /** Leave the run's tables where they are. */
  readonly keepTables: boolean;
  /** Told what a user should know, a line each. */
  readonly say: (text: string) => void;
  /** Ends the connecting early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks, before anything is recorded or changed, that a run on this server can begin: it is reached, can
 * be written to, has connections enough, the user may do what a run does, no other run uses the database,
 * no foreign table is in the way.
 *
 * @param connections how many the run makes
 * @returns the server's version, such as 18.4
 * @throws UsageError for what the user can say differently, RunError for what is wrong with the server
 */
export async function inspectExternalServer(
  access: ServerAccess,
  wanted: WantedTables,
  connections: number,
): Promise<string> {
  const admin = openAdmin(access, 'ibench', { max: 1 });
  try {
    const [row] = await run(
      admin,
      `select current_setting('server_version') as version,
         current_setting('server_version_num')::int as version_num, pg_is_in_recovery() as standby,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true)::int, 0) as room,
         current_setting('synchronous_commit') not in ('off', 'local')
           and current_setting('synchronous_standby_names') <> ''
           and not exists (select from pg_stat_replication) as waits_for_ever`,
      `connecting to ${describeAccess(access)}`,
    );
    if (row?.standby) {
      throw new UsageError(`${describeAccess(access)} is a standby: name its primary`);
    }
    if (row?.waits_for_ever) {
      throw new UsageError(
        `${describeAccess(access)} has synchronous_standby_names and no standby, so that every commit waits for ever: start the standby, or set synchronous_commit = local for this user`,
      );
    }
    const room = row?.room as number;
    if (connections > room) {
      throw new UsageError(
        `the workload needs ${connections} connections, ${describeAccess(access)} has room for ${room}: take fewer clients, or raise its max_connections by ${connections - room}`,
      );
    }
    await checkCheckpoint(admin, row?.version_num as number);
    await checkNoRun(admin);
    await findTablesToDrop(admin, wanted);
    return firstWord(String(row?.version));
  } finally {
    await admin.end({ timeout: 1 }).catch(() => {});
  }
}

/** The settle step ends with a checkpoint; to find out after hours of load that it may not is too late. */
async function checkCheckpoint(admin: Admin, versionNum: number): Promise<void> {
  const member = versionNum >= 150_000 ? ` or pg_has_role(rolname, 'pg_checkpoint', 'usage')` : '';
  const [row] = await run(
    admin,
    `select rolname, rolsuper${member} as may from pg_roles where rolname = current_user`,
    'reading privileges',
  );
  if (row?.may) return;
  const how =
    versionNum >= 150_000 ? `grant pg_checkpoint to "${row?.rolname}"` : 'use a superuser';
  throw new RunError(`user ${row?.rolname} may not do a checkpoint, which a run needs: ${how}`);
}

async function checkNoRun(admin: Admin): Promise<void> {
  const [other] = await run(
    admin,
    `select application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'ibench/%' limit 1`,
    'reading pg_stat_activity',
  );
  if (other === undefined) return;
  throw new RunError(
    `another run uses this database (connection ${other.name}): wait for its end, or name another database`,
  );
}

/** Connects to a server that is running already. It is neither started, configured nor stopped. */
export async function openExternalServer(options: ExternalOptions): Promise<DatabaseServer> {
  const admin = openAdmin(options.access, options.applicationName);
  try {
    return await abortable(connectTo(admin, options), options.signal);
  } catch (error) {
    await admin.end({ timeout: 1 }).catch(() => {});
    throw error;
  }
}

async function connectTo(admin: Admin, options: ExternalOptions): Promise<DatabaseServer> {
  const settings = await checkSettings(admin, [], 'external');
  const buildFacts = await readBuildFacts(admin);
  const host = await findHost(admin, options);
  try {
    return await serverOn(host, { admin, settings, buildFacts }, options);
  } catch (error) {
    await host.reader.close();
    throw error;
  }
}

/** What was read of the server, and over which connections. */
interface Reached {
  readonly admin: Admin;
  readonly settings: Awaited<ReturnType<typeof checkSettings>>;
  readonly buildFacts: ReadonlyMap<string, string>;
}

async function serverOn(
  host: FoundHost,
  { admin, settings, buildFacts }: Reached,
  options: ExternalOptions,
): Promise<DatabaseServer> {
  const restart = await watchRestart(admin, host.postmaster);
  await sayWhoElse(admin, options.say);
  const connected = connectedServer({ admin, settings, ...options });
  const settingOf = (name: string) => settings.find((s) => s.name === name)?.setting ?? '';
  return {
    ...connected,
    maxConnections: connected.maxConnections - Number(settingOf('reserved_connections')),
    version: firstWord(settingOf('server_version')),
    host: host.reader,
    logPath: null,
    directories: [],
    isExclusive: false,
    buildFacts,
    exited: restart.exited,
    checkNotRestarted: restart.check,
    createTables: (tables, table) => makeTables(admin, options, tables, table),
    stop: async (hurry = false) => {
      restart.close();
      // What is under way may hold the tables, or be about to make them.
      await admin.end({ timeout: 1 }).catch(() => {});
      if (!options.keepTables) await dropTables(options, hurry);
      await host.reader.close();
    },
  };
}

/** Debian says 18.4 (Debian 18.4-1.pgdg12+1). */
function firstWord(text: string): string {
  return text.replace(/ .*/s, '');
}

function makeTables(
  admin: Admin,
  { runId, dropForeign }: ExternalOptions,
  tables: readonly string[],
  options: TableOptions,
): Promise<void> {
  return makeMarkedTables(admin, { tables, options, dropForeign }, runId);
}

/** How long somebody who wants to stop waits for the tables to be dropped. */
const HURRIED_DROP_MS = 5_000;

/** Tables that stay carry the mark of their run, and the next run drops them. */
async function dropTables(options: ExternalOptions, hurry: boolean): Promise<void> {
  const { access, applicationName, runId, say, signal } = options;
  const admin = openAdmin(access, applicationName, { max: 1 });
  const close = (): Promise<void> => admin.end({ timeout: 1 }).catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const hurryUp = (): void => {
    timer = setTimeout(close, HURRIED_DROP_MS);
  };
  if (hurry || signal?.aborted) hurryUp();
  else signal?.addEventListener('abort', hurryUp, { once: true });
  try {
    await dropMarkedTables(admin, runId);
  } catch (error) {
    say(`the tables of the run could not be dropped and stay: ${(error as Error).message}`);
  } finally {
    signal?.removeEventListener('abort', hurryUp);
    clearTimeout(timer);
    await close();
  }
}

async function sayWhoElse(admin: Admin, say: (text: string) => void): Promise<void> {
  const rows = await run(
    admin,
    `select distinct format('%s in %s%s', usename, datname,
       ' (' || nullif(application_name, '') || ')') as who
     from pg_stat_activity
     where datid is not null and usesysid is not null and application_name not like 'ibench/%'
     order by 1`,
    'reading pg_stat_activity',
  );
  if (rows.length === 0) return;
  say(`others are connected to the server: ${rows.map(({ who }) => who).join(', ')}`);
}
