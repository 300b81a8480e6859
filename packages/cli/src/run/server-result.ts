import {
  changesBetween,
  debtOf,
  type SamplingCost,
  type ServerReading,
  type ServerResult,
  serverFigures,
} from '@ibench/core';
import type { DatabaseServer } from '@ibench/host';

/** What the server told of a step, from its readings at both borders. */
export function serverResult(
  { settings }: DatabaseServer,
  { before, after }: { readonly before: ServerReading; readonly after: ServerReading },
  { seconds, sampling }: { readonly seconds: number; readonly sampling: readonly SamplingCost[] },
): ServerResult {
  const values = new Map(settings.map(({ name, setting }) => [name, setting]));
  const changes = changesBetween(before, after);
  return {
    changes,
    figures: serverFigures(changes, seconds, (name) => asNumber(values.get(name))),
    opening: debtOf(changes, 'before'),
    closing: debtOf(changes, 'after'),
    sampling,
  };
}

/** A setting in its unit; `on` is 1 and `off` 0, null where there is none. */
function asNumber(setting: string | undefined): number | null {
  if (setting === 'on' || setting === 'off') return setting === 'on' ? 1 : 0;
  return setting === undefined || setting === '' || Number.isNaN(Number(setting))
    ? null
    : Number(setting);
}
