import type { RoleActivity } from '@ibench/core';
import { BLANK, blockCell, numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { doneRepeats, type RunGroup } from './run-group.ts';
import type { Cell, Row, Table } from './table.ts';

/** What the sessions of one role did in a step, the mean over repeats. */
interface RoleMeans {
  readonly active: number;
  readonly cpu: number | null;
  /** Active sessions by event. */
  readonly events: ReadonlyMap<string, number>;
}

/** How many of a role's events are shown; the store has all. */
const SHOWN_EVENTS = 4;

/** A role that is active in less than this many of all samples, and uses less CPU, is not worth a row. */
const LEAST_ACTIVE = 0.005;

/** CPU beyond the active sessions that is worth an explanation. */
const IDLE_CPU = 0.05;
const IDLE_NOTE =
  'CPU above active: to send an answer and to read the next statement takes CPU while the server calls the session idle, with short statements most of it';

/**
 * Average active sessions of one step by role and by what they waited for, with the CPU of the role's
 * processes beside them. null where no run was sampled.
 */
export function waitsTable(groups: readonly RunGroup[], step: string): Table | null {
  const perGroup = groups.map((group) => roleMeans(group, step));
  const roles = [...new Set(perGroup.flatMap((means) => [...means.keys()]))];
  const rows = roles.flatMap((role): Row[] => {
    const known = perGroup.flatMap((means, i) => {
      const mean = means.get(role);
      return mean === undefined ? [] : [{ mean, label: groups[i]!.label }];
    });
    const isWorthIt = known.some(
      ({ mean }) => mean.active >= LEAST_ACTIVE || (mean.cpu ?? 0) >= LEAST_ACTIVE,
    );
    return isWorthIt
      ? known.map(({ mean, label }, i) => ({
          cells: [blockCell(role, i === 0), ...meanCells(mean), wordCell(label)],
        }))
      : [];
  });
  if (rows.length === 0) return null;
  return {
    id: 'waits',
    step,
    title: `${step}: active sessions by what they wait for`,
    note: "active: sessions at work, mean of all samples; CPU: seconds per second of their processes; waits: % of active, CPU: waits for nothing. ibench: the tool's own connections",
    columns: [
      wordColumn('role'),
      numberColumn('active'),
      numberColumn('cpu', 'CPU'),
      wordColumn('waits'),
      wordColumn('tag'),
    ],
    rows,
    footnotes: perGroup.some((means) => [...means.values()].some(isBusyWhileIdle))
      ? [IDLE_NOTE]
      : [],
  };
}

/** CPU above the sessions at work by more than what chance does to samples. */
function isBusyWhileIdle({ active, cpu }: RoleMeans): boolean {
  return cpu !== null && cpu > active + IDLE_CPU;
}

function meanCells({ active, cpu, events }: RoleMeans): Cell[] {
  const largest = [...events].sort((a, b) => b[1] - a[1]).slice(0, SHOWN_EVENTS);
  const words = largest.map(([event, share]) => `${event} ${Math.round((100 * share) / active)}%`);
  return [
    numberCell(active, 2),
    cpu === null ? BLANK : numberCell(cpu, 3),
    wordCell(words.join(', ')),
  ];
}

function roleMeans(group: RunGroup, step: string): Map<string, RoleMeans> {
  const repeats = doneRepeats(group, step).flatMap(({ server }) =>
    server === null || server.activity.length === 0 ? [] : [server.activity],
  );
  const roles = [...new Set(repeats.flatMap((activity) => activity.map(({ role }) => role)))];
  return new Map(roles.map((role) => [role, meansOf(role, repeats)] as const));
}

function meansOf(role: string, repeats: readonly (readonly RoleActivity[])[]): RoleMeans {
  const own = repeats.flatMap((activity) => activity.filter((one) => one.role === role));
  const events = new Map<string, number>();
  for (const { waitType, waitEvent, active } of own.flatMap((one) => one.events)) {
    const name = waitType === 'CPU' ? 'CPU' : `${waitType}/${waitEvent}`;
    events.set(name, (events.get(name) ?? 0) + active / repeats.length);
  }
  const cpus = own.flatMap(({ cpu }) => cpu ?? []);
  return {
    active: own.reduce((sum, { active }) => sum + active, 0) / repeats.length,
    cpu: cpus.length === 0 ? null : cpus.reduce((sum, cpu) => sum + cpu, 0) / repeats.length,
    events,
  };
}
