import { type Admin, run } from './admin.ts';

/** What must stay the same from the start of a run to its end. */
export interface ServerState {
  /** When the postmaster started. */
  readonly startedAt: string;
  /**
   * When its background processes did: later than the postmaster after a crash. null: this user is not told.
   */
  readonly recoveredAt: string | null;
  /** When the configuration files were last read. */
  readonly configReadAt: string;
  /** Every setting with its value, in the server's own spelling and unit. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Reads it on a connection of the runner's, so settings of a session or user are always the same ones. */
export async function readServerState(admin: Admin): Promise<ServerState> {
  const [times] = await run(
    admin,
    `select pg_postmaster_start_time()::text as started_at, pg_conf_load_time()::text as config_read_at,
       (select min(backend_start)::text from pg_stat_activity where backend_type = 'checkpointer')
         as recovered_at`,
    "reading the server's start time",
  );
  const settings = await run(
    admin,
    `select name, setting || coalesce(' × ' || unit, '') as value from pg_settings`,
    'reading the settings',
  );
  return {
    startedAt: times?.started_at as string,
    recoveredAt: (times?.recovered_at ?? null) as string | null,
    configReadAt: times?.config_read_at as string,
    settings: new Map(settings.map(({ name, value }) => [name as string, value as string])),
  };
}
