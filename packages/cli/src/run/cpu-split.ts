import type { CpuSeconds, CpuSplit, Role } from '@ibench/core';
import type { Readings } from './measurement.ts';

/** A backend that works for a role; the runner's own for building indexes and vacuum is `maintenance`. */
export interface RoleBackend {
  readonly role: Role | 'maintenance';
  readonly backendPid: number;
}

/** CPU that one backend used in the step; null when it was not there at both borders. */
export function backendCpu(readings: Readings, pid: number): CpuSeconds | null {
  const before = readings.before.server?.byPid.get(pid);
  const after = readings.after.server?.byPid.get(pid);
  if (before === undefined || after === undefined) return null;
  return { user: after.user - before.user, system: after.system - before.system };
}

/**
 * CPU of the step by who spent it, seconds. The background is what the server used in all, processes
 * that came and went included, less the backends that work for the benchmark.
 *
 * @param workersCpu CPU of the worker processes between barrier and end
 * @returns null: the server's processes were not read
 */
export function cpuSplit(
  readings: Readings,
  backends: readonly RoleBackend[],
  workersCpu: readonly CpuSeconds[],
): CpuSplit | null {
  const { before, after } = readings;
  if (before.server === null || after.server === null) return null;
  const used = (role: RoleBackend['role']): number =>
    backends
      .filter((backend) => backend.role === role)
      .reduce((sum, { backendPid }) => sum + seconds(backendCpu(readings, backendPid)), 0);
  const server = seconds(after.server.total) - seconds(before.server.total);
  const foreground = {
    insertBackends: used('insert'),
    deleteBackends: used('delete'),
    queryBackends: used('query'),
    maintenanceBackend: used('maintenance'),
  };
  const known = Object.values(foreground).reduce((sum, value) => sum + value, 0);
  const workers = workersCpu.reduce((sum, cpu) => sum + seconds(cpu), 0);
  return {
    ...foreground,
    // Sums of the same ticks in another order differ in the last bits; a negative zero says nothing.
    background: Math.max(0, server - known),
    loadGenerator:
      before.tool === null || after.tool === null
        ? null
        : seconds(after.tool) - seconds(before.tool) + workers,
  };
}

function seconds(cpu: CpuSeconds | null): number {
  return cpu === null ? 0 : cpu.user + cpu.system;
}
