import type { Workload } from '@ibench/core';
import type { ServerConfig } from '@ibench/host';
import { settingOf } from './setting-of.ts';

/** Connections beside the load's: the runner's own for administration and statistics, and two that watch. */
const OWN_CONNECTIONS = 5;

/** PostgreSQL's own defaults. */
const DEFAULT_MAX_CONNECTIONS = 100;
const DEFAULT_RESERVED_CONNECTIONS = 3;

/** Connections that a run makes: an inserter, a deleter and queriers for each client, and the runner's. */
export function connectionsNeeded({ clients, queriers }: Workload): number {
  return clients * (2 + queriers) + OWN_CONNECTIONS;
}

/** Why a server with this configuration has too few connections for a workload; null: it has enough. */
export function lackOfConnections(
  config: ServerConfig,
  workload: Workload,
  names: { readonly config: string; readonly workload: string },
): string | null {
  const reserved = settingOf(config, 'superuser_reserved_connections');
  const needed = connectionsNeeded(workload) + Number(reserved ?? DEFAULT_RESERVED_CONNECTIONS);
  const available = Number(settingOf(config, 'max_connections') ?? DEFAULT_MAX_CONNECTIONS);
  if (needed <= available) return null;
  return `workload ${names.workload} needs ${needed} connections, config ${names.config} has max_connections = ${available}: expected at least ${needed}`;
}
