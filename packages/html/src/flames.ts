import { isInvalid, measuredBy, STATEMENT_KINDS } from '@ibench/core';
import { type FlameGraph, graphOf, groupProfiles, type ProfileGroup } from '@ibench/flamegraph';
import type { RunGroup } from '@ibench/report';
import { type Evidence, usableRepeats } from './rows.ts';

/** The flame graphs of one role in a step, the base's first. */
export interface RoleFlames {
  readonly role: string;
  readonly graphs: readonly FlameGraph[];
}

/** What one row of the tables has been profiled in a step. */
interface ProfiledRow {
  readonly label: string;
  readonly groups: readonly ProfileGroup[];
}

/** A graph for each role and row that was profiled in the step; but for the base, of how it differs from the base. */
export function stepFlames(
  rows: readonly RunGroup[],
  step: string,
  evidence: Evidence,
): RoleFlames[] {
  const [base, ...others] = rows.map((row) => profiledRow(row, step, evidence));
  if (base === undefined) return [];
  return STATEMENT_KINDS.flatMap((role) => {
    const baseGroup = groupOf(base, role);
    const graphs = [
      ...(baseGroup === null ? [] : [graphOf(base.label, baseGroup, null)]),
      ...others.flatMap((row) => {
        const group = groupOf(row, role);
        const against = baseGroup === null ? '' : ` compared with ${base.label}`;
        return group === null ? [] : [graphOf(`${row.label}${against}`, group, baseGroup)];
      }),
    ];
    return graphs.length === 0 ? [] : [{ role, graphs }];
  });
}

function groupOf({ groups }: ProfiledRow, role: string): ProfileGroup | null {
  return groups.find(([profile]) => profile.role === role) ?? null;
}

/** The profiles of all repeats are added up: the more samples, the less is chance. */
function profiledRow(row: RunGroup, step: string, evidence: Evidence): ProfiledRow {
  const repeats = usableRepeats(row, step);
  const mark = repeats.some(({ done }) => isInvalid(done.audits)) ? '⊘ invalid: ' : '';
  const profiles = repeats.flatMap(({ run, done }) =>
    evidence.profiles(measuredBy(run, done), step),
  );
  return { label: `${mark}${row.label}`, groups: groupProfiles(profiles) };
}
