/** unknown: this host does not say, so the check was not made; it is neither good nor bad. */
export const DOCTOR_STATUSES = ['ok', 'unknown', 'warn', 'bad'] as const;
export type DoctorStatus = (typeof DOCTOR_STATUSES)[number];

/** What one check found. */
export interface DoctorFinding {
  /** Stable name, as in docs/DOCTOR.md. */
  readonly check: string;
  readonly status: DoctorStatus;
  readonly found: string;
  /** What to do, with the command where there is one; null where nothing is to be done. */
  readonly advice: string | null;
}

/** All findings in one line. */
export interface DoctorVerdict {
  /** The worst status among the findings; unknown when there are none. */
  readonly status: DoctorStatus;
  readonly counts: Readonly<Record<DoctorStatus, number>>;
  readonly text: string;
}

/** A finding with which nothing is wrong. */
export function ok(check: string, found: string): DoctorFinding {
  return { check, status: 'ok', found, advice: null };
}

/** Numbers measured here are valid, but less comparable or less repeatable than they could be. */
export function warn(check: string, found: string, advice: string): DoctorFinding {
  return { check, status: 'warn', found, advice };
}

/** A run here fails, or its numbers mislead. */
export function bad(check: string, found: string, advice: string): DoctorFinding {
  return { check, status: 'bad', found, advice };
}

/** The check could not be made. */
export function unknown(check: string, found: string, advice: string | null = null): DoctorFinding {
  return { check, status: 'unknown', found, advice };
}

/** Sums the findings up: their counts, the worst of them, and what that means for a benchmark. */
export function doctorVerdict(findings: readonly DoctorFinding[]): DoctorVerdict {
  const count = (status: DoctorStatus) => findings.filter((f) => f.status === status).length;
  const counts = {
    ok: count('ok'),
    unknown: count('unknown'),
    warn: count('warn'),
    bad: count('bad'),
  };
  const worst = DOCTOR_STATUSES.findLast((status) => counts[status] > 0) ?? 'unknown';
  const numbers = `${counts.bad} bad, ${counts.warn} warnings, ${counts.unknown} unknown, ${counts.ok} ok`;
  return { status: worst, counts, text: `${numbers}: ${MEANINGS[worst]}` };
}

const MEANINGS: Readonly<Record<DoctorStatus, string>> = {
  ok: 'this host is ready to benchmark.',
  unknown: 'nothing speaks against this host, but not everything could be checked.',
  warn: 'usable; compare only runs of this host with each other.',
  bad: 'repair what is bad before trusting a number from this host.',
};
