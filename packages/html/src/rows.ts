import {
  isInvalid,
  measuredBy,
  type Provenance,
  type RunProfile,
  type RunRecord,
  type StepSeries,
  type TimesHistogram,
} from '@ibench/core';
import { type DoneStep, type RunGroup, sameLoad, throughputMetric } from '@ibench/report';

/** Where the page gets what the tables do not hold. */
export interface Evidence {
  series(runId: string, step: string): StepSeries;
  histograms(runId: string, step: string): readonly TimesHistogram[];
  provenance(runId: string): Provenance | undefined;
  profiles(runId: string, step: string): readonly RunProfile[];
}

/** One row of the tables in one step: the repeat that stands for it in charts. */
export interface StepRow {
  /** Position among all rows, the base first. */
  readonly row: number;
  readonly label: string;
  readonly step: DoneStep;
  /** Is this repeat one whose numbers are not to be used? */
  readonly isInvalid: boolean;
  /** Did it do the same work as the base, so that the tables compare them? */
  readonly isComparable: boolean;
  /** `repeat 2, median of 3`, short enough for the gutter of a chart; null where the row is one run. */
  readonly repeatNote: string | null;
  /** Logical CPUs of the host; null: not known. */
  readonly cpus: number | null;
  readonly series: StepSeries;
  readonly histograms: readonly TimesHistogram[];
}

/** Rows in which the step is done, with its series. */
export function stepRows(rows: readonly RunGroup[], step: string, evidence: Evidence): StepRow[] {
  return rows.flatMap((group, row) => {
    const chosen = representative(group, step);
    if (chosen === null) return [];
    const { run, done, among } = chosen;
    return [
      {
        row,
        label: group.label,
        step: done,
        isInvalid: isInvalid(done.audits),
        isComparable: sameLoad(group, rows[0]!),
        repeatNote: repeatNote(run.repeat, among, group.runs.length),
        cpus: cpusOf(evidence.provenance(run.runId)),
        series: evidence.series(measuredBy(run, done), step),
        histograms: evidence.histograms(measuredBy(run, done), step),
      },
    ];
  });
}

/** Which of several repeats is drawn, as `representative` chooses it: the low median is the lower of the middle two. */
function repeatNote(repeat: number, among: number, all: number): string | null {
  if (all === 1) return null;
  if (among === 1) return `repeat ${repeat}, the one done`;
  return `repeat ${repeat}, ${among % 2 === 0 ? 'low ' : ''}median of ${among}`;
}

function cpusOf(provenance: Provenance | undefined): number | null {
  const fact = provenance?.facts.find(
    ({ category, name }) => category === 'host' && name === 'logical_cpus',
  );
  return typeof fact?.value === 'number' ? fact.value : null;
}

interface Repeat {
  readonly run: RunRecord;
  readonly done: DoneStep;
}

/** The repeats of this row in which the step was done and counts: the valid ones if there are any. */
export function usableRepeats(group: RunGroup, step: string): Repeat[] {
  const candidates = group.runs.flatMap((run) =>
    run.steps.flatMap((record) =>
      record.step === step && record.status === 'done' && record.metrics !== null
        ? [{ run, done: { ...record, metrics: record.metrics } }]
        : [],
    ),
  );
  const valid = candidates.filter(({ done }) => !isInvalid(done.audits));
  return valid.length > 0 ? valid : candidates;
}

/** The repeat with the median throughput; of an even number the lower of the middle two. */
function representative(
  group: RunGroup,
  step: string,
): (Repeat & { readonly among: number }) | null {
  const throughput = ({ done }: Repeat): number => done.metrics[throughputMetric(step)] ?? 0;
  const sorted = usableRepeats(group, step).sort((a, b) => throughput(a) - throughput(b));
  const middle = sorted[(sorted.length - 1) >> 1];
  return middle === undefined ? null : { ...middle, among: sorted.length };
}
