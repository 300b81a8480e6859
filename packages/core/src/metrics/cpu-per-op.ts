import type { CpuSplit } from '../result.ts';
import type { Role } from '../step.ts';
import type { StepMetrics } from './columns.ts';
import { divide } from './normalise.ts';

/** The columns that say who spent cpupq, µs of CPU per operation. */
export type CpuPerOp = Pick<
  StepMetrics,
  | 'fgcpupq'
  | 'fgcpupq_insert'
  | 'fgcpupq_delete'
  | 'fgcpupq_query'
  | 'bgcpupq'
  | 'clcpupq'
  | 'otcpupq'
>;

export interface CpuPerOpInput {
  readonly split: CpuSplit | null;
  /** CPU of the whole machine, µs per operation. */
  readonly cpupq: number | null;
  /** Operations between the two readings that the split comes from. */
  readonly operations: number | null;
  /** Roles that had workers; connections that did not exist have no cost, rather than a cost of zero. */
  readonly roles: ReadonlySet<Role>;
}

/**
 * Splits cpupq by who spent it. otcpupq is what is left of cpupq, so the parts always add up. It can
 * come out slightly below zero on an otherwise idle host, because the kernel counts processes and the
 * machine with different clocks; that is left as it is.
 */
export function cpuPerOp({ split, cpupq, operations, roles }: CpuPerOpInput): CpuPerOp {
  if (split === null) return UNKNOWN;
  const { insertBackends, deleteBackends, queryBackends, background, loadGenerator } = split;
  const perOp = (seconds: number): number | null => divide(seconds * 1e6, operations);
  const ofRole = (role: Role, seconds: number): number | null =>
    roles.has(role) ? perOp(seconds) : null;
  const foreground = insertBackends + deleteBackends + queryBackends + split.maintenanceBackend;
  const named = perOp(foreground + background + (loadGenerator ?? 0));
  return {
    fgcpupq: perOp(foreground),
    fgcpupq_insert: ofRole('insert', insertBackends),
    fgcpupq_delete: ofRole('delete', deleteBackends),
    fgcpupq_query: ofRole('query', queryBackends),
    bgcpupq: perOp(background),
    clcpupq: loadGenerator === null ? null : perOp(loadGenerator),
    otcpupq: cpupq === null || named === null ? null : cpupq - named,
  };
}

const UNKNOWN: CpuPerOp = {
  fgcpupq: null,
  fgcpupq_insert: null,
  fgcpupq_delete: null,
  fgcpupq_query: null,
  bgcpupq: null,
  clcpupq: null,
  otcpupq: null,
};
