import type { DatabaseServer, Observer } from '@ibench/host';
import { applicationName } from './context.ts';
import type { RoleBackend } from './cpu-split.ts';
import type { Release } from './releasers.ts';

/** Connections that watch the server during the steps of a run. */
export interface Observers {
  readonly activity: Observer;
  /** Apart, since planning a delete can take long. */
  readonly planning: Observer;
  readonly intervalS: number;
}

/** Roles of the connections that the tool has for itself, as in their names. */
export const OWN_ROLES = ['runner', 'activity', 'planning'] as const;

/** @param intervalS time between samples, seconds; 0: none are taken, and there is nobody to take them */
export async function openObservers(
  server: DatabaseServer,
  runId: string,
  intervalS: number,
  release: Release,
): Promise<Observers | null> {
  if (intervalS === 0) return null;
  const open = async (role: (typeof OWN_ROLES)[number]): Promise<Observer> => {
    const observer = await server.observe(applicationName(runId, role));
    release(() => observer.close());
    return observer;
  };
  return { activity: await open('activity'), planning: await open('planning'), intervalS };
}

/** Their server processes, for the split of the CPU; none where they were lost or there are none. */
export function observerBackends(observers: Observers | null): RoleBackend[] {
  if (observers === null) return [];
  const pids = [observers.activity, observers.planning].flatMap((one) => one.backendPid() ?? []);
  return pids.map((backendPid) => ({ role: 'observer', backendPid }));
}
