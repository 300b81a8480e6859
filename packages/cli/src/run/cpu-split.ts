import type { CpuSeconds, CpuSplit, Role } from '@ibench/core';
import type { HostBorder } from '@ibench/host';

/** Counters at one border of a step. */
export interface Border extends HostBorder {
  /** CPU of the runner and its samplers; null: on another host than the server. */
  readonly tool: CpuSeconds | null;
}

/** Both borders of a step. */
interface Borders {
  readonly before: Border;
  readonly after: Border;
}

/** A backend that works for a role; the runner's own for building indexes and vacuum is `maintenance`, those that watch are `observer`. */
export interface RoleBackend {
  readonly role: Role | 'maintenance' | 'observer';
  readonly backendPid: number;
}

/** CPU that one backend used in the step; null when it was not there at both borders. */
export function cpuBetween(borders: Borders, pid: number): CpuSeconds | null {
  const before = borders.before.server?.byPid.get(pid);
  const after = borders.after.server?.byPid.get(pid);
  if (before === undefined || after === undefined) return null;
  return { user: after.user - before.user, system: after.system - before.system };
}

/**
 * CPU of the step by who spent it, seconds. The background is what the server used in all, processes
 * that came and went included, less the backends that work for the benchmark. What watching costs inside
 * the server is the load generator's, like the rest of the tool.
 *
 * @param workersCpu CPU of the worker processes between barrier and end
 * @returns null: the server's processes were not read
 */
export function cpuSplit(
  readings: Borders,
  backends: readonly RoleBackend[],
  workersCpu: readonly CpuSeconds[],
): CpuSplit | null {
  const { before, after } = readings;
  if (before.server === null || after.server === null) return null;
  const used = (role: RoleBackend['role']): number =>
    backends
      .filter((backend) => backend.role === role)
      .reduce((sum, { backendPid }) => sum + seconds(cpuBetween(readings, backendPid)), 0);
  const server = seconds(after.server.total) - seconds(before.server.total);
  const foreground = {
    insertBackends: used('insert'),
    deleteBackends: used('delete'),
    queryBackends: used('query'),
    maintenanceBackend: used('maintenance'),
  };
  const observers = used('observer');
  const known = Object.values(foreground).reduce((sum, value) => sum + value, observers);
  const workers = workersCpu.reduce((sum, cpu) => sum + seconds(cpu), 0);
  return {
    ...foreground,
    // Sums of the same ticks in another order differ in the last bits; a negative zero says nothing.
    background: Math.max(0, server - known),
    loadGenerator:
      before.tool === null || after.tool === null
        ? null
        : seconds(after.tool) - seconds(before.tool) + workers + observers,
  };
}

function seconds(cpu: CpuSeconds | null): number {
  return cpu === null ? 0 : cpu.user + cpu.system;
}
