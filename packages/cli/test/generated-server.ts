import {
  type Debt,
  isQueryStep,
  type ServerResult,
  type ServerSecond,
  serverFigures,
} from '@ibench/core';

/** What a generated run does to its server. */
export interface ServerLoad {
  readonly clients?: number;
  readonly speed?: number;
}

/** The checkpointer is at work for forty seconds of two minutes, a vacuum comes after it. */
const CYCLE_S = 120;
const CHECKPOINT_S = 40;
const VACUUM = { from: 75, to: 95 };

/** A backend on a CPU, others that wait for locks inside the server and for the disk, in turns. */
export function serverSeconds(
  { clients = 1, speed = 1 }: ServerLoad,
  seconds: number,
): ServerSecond[] {
  return Array.from({ length: seconds }, (_, second) => {
    const at = second % CYCLE_S;
    const isVacuum = at >= VACUUM.from && at < VACUUM.to;
    const waits = [
      { role: 'insert', waitType: 'CPU', waitEvent: 'CPU', sessions: clients },
      {
        role: 'delete',
        waitType: 'LWLock',
        waitEvent: 'WALWrite',
        sessions: speed < 1 ? 2 * clients : second % 3,
      },
      {
        role: 'checkpointer',
        waitType: 'IO',
        waitEvent: 'DataFileWrite',
        sessions: at < CHECKPOINT_S ? 1 : 0,
      },
      {
        role: 'autovacuum worker',
        waitType: 'Timeout',
        waitEvent: 'VacuumDelay',
        sessions: isVacuum ? 1 : 0,
      },
    ];
    return {
      second,
      samples: 1,
      coveredS: 1,
      waits: waits.filter(({ sessions }) => sessions > 0),
      series: seriesOf(clients, second, isVacuum),
    };
  });
}

function seriesOf(clients: number, second: number, isVacuum: boolean): ServerSecond['series'] {
  const dead = second % CYCLE_S;
  return [
    { name: 'cpu_s', object: 'insert', value: 0.8 * clients },
    { name: 'cpu_s', object: 'delete', value: 0.3 * clients + 0.002 * dead },
    ...(isVacuum ? [{ name: 'cpu_s', object: 'autovacuum worker', value: 0.6 }] : []),
    ...(second % 10 === 5
      ? [{ name: 'delete_planning_ms', object: 'pi1', value: 0.4 + 0.02 * dead }]
      : []),
    ...(second % 4 === 1
      ? [
          { name: 'getmin_count', object: 'pi1', value: 2 },
          { name: 'getmin_us', object: 'pi1', value: 2 * (800 + 40 * dead) },
        ]
      : []),
  ];
}

/** Debts that grow in the write steps and go down again where there is time for vacuum. */
export function serverResult(
  step: string,
  position: number,
  { speed = 1 }: ServerLoad,
): ServerResult {
  const peak = 0.35 * speed;
  const at = (border: number): number =>
    isQueryStep(step) ? peak / (border - 1) : Math.min(peak, 0.14 * border * speed);
  return {
    changes: [],
    figures: serverFigures([], 1, () => null),
    opening: debtAt(step === 'l.i0' ? 0 : at(position)),
    closing: debtAt(step === 'l.i0' ? 0 : at(position + 1)),
    sampling: [],
  };
}

function debtAt(share: number): Debt {
  const live = 10_000_000;
  return {
    live_tuples: live,
    dead_tuples: Math.round((share * live) / (1 - share)),
    dead_share: share,
    all_visible_share: 1 - share,
    wal_since_redo_bytes: Math.round(share * 4e9),
    dirty_buffers: null,
    oldest_xmin_age: 0,
    vacuums_running: 0,
  };
}
