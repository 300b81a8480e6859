import { postgresDialect, RunError } from '@ibench/core';
import type { Observer, Session } from '../engine.ts';
import { type Admin, openAdmin, run } from './admin.ts';
import type { ServerAccess } from './connection-string.ts';
import { IS_CLIENT } from './statistics.ts';

/** Where statistics are in shared memory, and not in a file that has to be read. */
const SHARED_STATISTICS = 15;
const FIRST_USER_OID = 16_384;

/**
 * The answer is the same row type in all versions; prepared, so that a sample is not planned each time. What
 * the server has done is asked for once, and is the same in all rows. It locks no table of the run.
 */
function prepareActivity({ major, readsControl }: Abilities): string {
  const checkpoint = readsControl
    ? '(select checkpoint_lsn::text from pg_control_checkpoint())'
    : 'null::text';
  const autovacuums =
    major >= SHARED_STATISTICS
      ? `(select sum(pg_stat_get_autovacuum_count(oid) + pg_stat_get_autoanalyze_count(oid))::float8
          from pg_class where relkind in ('r', 't', 'm') and oid >= ${FIRST_USER_OID})`
      : 'null::float8';
  return `prepare ibench_activity as
    select pid, coalesce(application_name, '') as application_name, backend_type,
      coalesce(${IS_CLIENT}, false) as is_client,
      coalesce(state in ('active', 'fastpath function call'), false) as active, wait_event_type, wait_event,
      ${checkpoint} as checkpoint, ${autovacuums} as autovacuums
    from pg_stat_activity`;
}

/** What this server can tell this user. */
interface Abilities {
  readonly major: number;
  readonly readsControl: boolean;
}

/** Longest wait for an answer: the server may be stuck, or the connection lost without a word. */
const ACTIVITY_MS = 10_000;
const PLANNING_MS = 60_000;

/** A connection that is prepared to sample. */
interface Link {
  readonly connection: Admin;
  readonly pid: number;
}

/**
 * Opens a connection that watches the others while they are measured. After an error, or without an
 * answer, it is given up, and the next question opens another.
 *
 * @param name how it is called in pg_stat_activity
 */
export async function openObserver(
  access: ServerAccess,
  name: string,
  endsWith?: Admin,
): Promise<Observer> {
  const open = (): Promise<Link> =>
    openLink(openAdmin(access, name, { max: 1, ...(endsWith && { endsWith }) }));
  let link: Link | null = await open();
  const giveUp = async (): Promise<void> => {
    const lost = link;
    link = null;
    await lost?.connection.end({ timeout: 0 }).catch(() => {});
  };
  const ask = async <T>(limitMs: number, question: (admin: Admin) => Promise<T>): Promise<T> => {
    try {
      link ??= await open();
      return await answerWithin(limitMs, question(link.connection));
    } catch (error) {
      await giveUp();
      throw error;
    }
  };
  return {
    backendPid: () => link?.pid ?? null,
    activity: async () => {
      const rows = await ask(ACTIVITY_MS, (admin) =>
        run(admin, 'execute ibench_activity', 'sampling pg_stat_activity'),
      );
      return {
        sessions: rows.map(toSession),
        checkpoint: (rows[0]?.checkpoint ?? null) as string | null,
        autovacuums: (rows[0]?.autovacuums ?? null) as number | null,
      };
    },
    planDelete: (table, guess, rows) =>
      ask(PLANNING_MS, (admin) => planDelete(admin, table, guess, rows)),
    close: giveUp,
  };
}

async function openLink(connection: Admin): Promise<Link> {
  try {
    const [row] = await run(
      connection,
      `select pg_backend_pid() as pid, current_setting('server_version_num')::int / 10000 as major,
        has_function_privilege('pg_control_checkpoint()', 'execute') as reads_control`,
      'connecting',
    );
    const abilities = { major: row?.major as number, readsControl: row?.reads_control as boolean };
    await run(connection, prepareActivity(abilities), 'preparing to sample pg_stat_activity');
    return { connection, pid: row?.pid as number };
  } catch (error) {
    await connection.end({ timeout: 0 }).catch(() => {});
    throw error;
  }
}

async function answerWithin<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RunError(`the server did not answer within ${limitMs / 1000} s`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}

function toSession(row: Awaited<ReturnType<typeof run>>[number]): Session {
  return {
    pid: row.pid as number,
    applicationName: row.application_name as string,
    isClient: row.is_client as boolean,
    backendType: row.backend_type as string | null,
    isActive: row.active as boolean,
    waitType: row.wait_event_type as string | null,
    waitEvent: row.wait_event as string | null,
  };
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly 'Planning Time': number }];
}

/** Without `analyze` nothing is executed: the statement is planned as the deleter's is, and that is timed. */
async function planDelete(
  connection: Admin,
  table: string,
  guess: number,
  rows: number,
): Promise<number> {
  const [before, between, after] = postgresDialect.deleteParts(table);
  const [row] = await run(
    connection,
    `explain (summary, format json) ${before}${guess}${between}${rows}${after}`,
    `planning a delete from ${table}`,
    null,
  );
  const { 'QUERY PLAN': plans } = row as unknown as Explained;
  return plans[0]['Planning Time'];
}
