import { postgresDialect } from '@ibench/core';
import type { Observer, Session } from '../engine.ts';
import { type Admin, openAdmin, run } from './admin.ts';
import type { ServerAccess } from './connection-string.ts';

/** The answer is the same row type in all versions; prepared, so that a sample is not planned each time. */
const PREPARE = `prepare ibench_activity as
  select pid, coalesce(application_name, '') as application_name, backend_type,
    coalesce(state in ('active', 'fastpath function call'), false) as active, wait_event_type, wait_event
  from pg_stat_activity`;

/**
 * Opens a connection that watches the others while they are measured. It comes anew when it was lost.
 *
 * @param name how it is called in pg_stat_activity
 */
export async function openObserver(access: ServerAccess, name: string): Promise<Observer> {
  const connection = openAdmin(access, name, { max: 1 });
  let pid: number | null = null;
  const connect = async (): Promise<number> => {
    const [row] = await run(connection, 'select pg_backend_pid() as pid', 'connecting');
    await run(connection, PREPARE, 'preparing to sample pg_stat_activity');
    pid = row?.pid as number;
    return pid;
  };
  try {
    await connect();
  } catch (error) {
    await connection.end({ timeout: 1 }).catch(() => {});
    throw error;
  }
  return {
    backendPid: () => pid,
    sessions: async () => {
      try {
        if (pid === null) await connect();
        return (await run(connection, 'execute ibench_activity', 'sampling pg_stat_activity')).map(
          toSession,
        );
      } catch (error) {
        pid = null;
        throw error;
      }
    },
    planDelete: (table, guess, rows) => planDelete(connection, table, guess, rows),
    close: () => connection.end({ timeout: 1 }).catch(() => {}),
  };
}

function toSession(row: Awaited<ReturnType<typeof run>>[number]): Session {
  return {
    pid: row.pid as number,
    applicationName: row.application_name as string,
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
  );
  const { 'QUERY PLAN': plans } = row as unknown as Explained;
  return plans[0]['Planning Time'];
}
