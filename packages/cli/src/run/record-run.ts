import { WORKLOAD_PARAMETERS } from '@ibench/core';
import { describeAccess, processToken, type ServerConfig } from '@ibench/host';
import {
  addRunWarning,
  createRun,
  type Store,
  saveConfigText,
  saveRunFacts,
  saveSettings,
} from '@ibench/store';
import { toolVersion } from '../paths.ts';
import { namesOf } from '../server-choice.ts';
import { recordClient } from './client-facts.ts';
import type { RunContext } from './context.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunOptions, RunWorld } from './run-options.ts';

/** Adds the run to the store with what is known of it before its server starts; returns its key. */
export function recordRun(
  options: RunOptions,
  { store, warnings }: RunWorld,
  folder: RunFolder,
): number {
  const { server, tag } = options;
  const { name, workload } = options.workload;
  const identity = { tag, ...namesOf(server), workload: name };
  const runKey = createRun(store, {
    ...identity,
    ...folder,
    clients: workload.clients,
    startedAt: new Date().toISOString(),
    runnerPid: process.pid,
    runnerStart: processToken(process.pid) ?? '',
    seed: workload.seed,
    toolVersion: toolVersion(),
    commandLine: options.commandLine,
    planRunKey: options.planRunKey,
  });
  for (const warning of warnings) addRunWarning(store, runKey, warning);
  if (server.kind === 'own') recordConfig(store, runKey, server.config);
  const parameters = WORKLOAD_PARAMETERS.map((parameter) => {
    const value = workload[parameter];
    return [parameter, typeof value === 'boolean' ? String(value) : value] as const;
  });
  saveRunFacts(store, runKey, 'workload', new Map(parameters));
  return runKey;
}

/** What the server is asked for, and the memory that shares in it were taken of. */
function recordConfig(store: Store, runKey: number, { text, memoryBytes }: ServerConfig): void {
  saveConfigText(store, runKey, text);
  if (memoryBytes === null) return;
  saveRunFacts(store, runKey, 'host', new Map([['config_memory_bytes', memoryBytes]]));
}

/** Keeps what the server, its host and the load generator are: they are known once the server runs. */
export async function recordProvenance(context: RunContext, options: RunOptions): Promise<void> {
  const { store, runKey, server, devices } = context;
  const facts = new Map<string, string | number | null>(await server.host.facts());
  facts.set('measured_devices', devices.join(' ') || null).set('read_over', server.host.place);
  if (options.server.kind === 'external') {
    facts.set('server', describeAccess(options.server.access));
  }
  saveRunFacts(store, runKey, 'host', facts);
  saveRunFacts(store, runKey, 'build', server.buildFacts);
  recordClient(context);
  saveSettings(
    store,
    runKey,
    server.settings.map(({ name, requested, setting, unit, source }) => ({
      name,
      requested,
      actual: setting,
      unit,
      source,
    })),
  );
}
