import type { Workload } from '@ibench/core';

/** Connections beside the load's: the runner's own for administration and statistics, and two that watch. */
const OWN_CONNECTIONS = 5;

/** What the server keeps for superusers (superuser_reserved_connections). */
export const RESERVED_CONNECTIONS = 3;

/** Connections that a run makes: an inserter, a deleter and queriers for each client, and the runner's. */
export function connectionsNeeded({ clients, queriers }: Workload): number {
  return clients * (2 + queriers) + OWN_CONNECTIONS;
}
