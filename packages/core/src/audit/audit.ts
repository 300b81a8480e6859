/** What is checked of a step, or of a run, beside its errors. docs/STORE.md has the unit of each. */
const AUDITS = [
  'connections',
  'settings',
  'reload',
  'restart',
  'schema',
  'rows',
  'foreign-cpu',
  'steal',
  'clock',
  'samples',
  'runner',
  'stopped',
  'deadline',
  'client-bound',
  'canary',
] as const;
export type AuditName = (typeof AUDITS)[number];

/** warned: to be kept in mind. invalid: not to be used; kept and shown, and left out of every average. */
const AUDIT_VERDICTS = ['ok', 'warned', 'invalid'] as const;
export type AuditVerdict = (typeof AUDIT_VERDICTS)[number];

/** How one of them came out. */
export interface Audit {
  readonly name: AuditName;
  readonly verdict: AuditVerdict;
  /** What was found; null where that is not a number. */
  readonly value: number | null;
  /** What it was held against; null where there is no such number. */
  readonly bound: number | null;
  /** In words, with the figures. */
  readonly reason: string;
}

/** Must the numbers be left out of averages and verdicts? */
export function isInvalid(audits: readonly Audit[]): boolean {
  return audits.some(({ verdict }) => verdict === 'invalid');
}
