import {
  type Axis,
  type ClassifiedDifference,
  type Comparability,
  type DifferenceKind,
  valuesOf,
} from '@ibench/core';
import { wordCell, wordColumn } from './cell.ts';
import type { Row, Table } from './table.ts';

/** What a difference is, for people. */
export const KIND_WORDS: Readonly<Record<DifferenceKind, string>> = {
  surprise: 'besides the axis',
  axis: 'axis',
  follows: 'comes with it',
};

/** How much of a comparison is shown. */
export interface ComparabilityLimits {
  /** Differences of a kind. */
  readonly differences: number;
  /** Tags beside a value. */
  readonly labels: number;
}

/** On top of other tables. */
export const BRIEF: ComparabilityLimits = { differences: 12, labels: 4 };

/** All there is. */
export const COMPLETE: ComparabilityLimits = {
  differences: Number.POSITIVE_INFINITY,
  labels: Number.POSITIVE_INFINITY,
};

/**
 * What the runs differ in besides the axis under test, one row each; then what the axis consists of, and
 * what comes with it in one line. null where the runs do not differ.
 */
export function comparabilityTable(
  comparability: Comparability,
  limits: ComparabilityLimits,
): Table | null {
  const { axes, differences, runs } = comparability;
  if (differences.length === 0) return null;
  const surprises = differences.filter(({ kind }) => kind === 'surprise');
  const ofAxis = differences.filter(({ kind }) => kind === 'axis');
  const following = differences.filter(({ kind }) => kind === 'follows');
  const rows = (kind: string, all: readonly ClassifiedDifference[]): Row[] =>
    all
      .slice(0, limits.differences)
      .map((difference) => differenceRow(kind, difference, runs, limits.labels));
  const isBrief = limits !== COMPLETE;
  return {
    id: 'comparability',
    step: null,
    title: 'What differs between the runs',
    note: summary(axes, surprises.length),
    columns: ['what', 'area', 'name', 'values'].map((key) => wordColumn(key)),
    rows: [
      ...rows(KIND_WORDS.surprise, surprises),
      ...rows(axes.length === 0 ? KIND_WORDS.axis : `axis: ${axes.join(', ')}`, ofAxis),
      ...(isBrief ? [] : rows(KIND_WORDS.follows, following)),
    ],
    footnotes: [
      ...cutNote('differences besides the axis', surprises.length - limits.differences),
      ...cutNote('differences that are the axis', ofAxis.length - limits.differences),
      ...(isBrief ? followingNote(axes, following, limits.differences) : []),
    ],
  };
}

function summary(axes: readonly Axis[], surprises: number): string {
  const under = axes.length === 0 ? 'No axis under test' : `Under test: ${axes.join(', ')}`;
  if (surprises === 0) return `${under}. Nothing else differs`;
  const count = surprises === 1 ? '1 difference' : `${surprises} differences`;
  return `${under}. Besides: ${count}, which the numbers below may be about instead`;
}

function cutNote(what: string, more: number): string[] {
  return more > 0 ? [`${more} more ${what}: all with ibench compare A B`] : [];
}

function followingNote(
  axes: readonly Axis[],
  following: readonly ClassifiedDifference[],
  limit: number,
): string[] {
  if (following.length === 0) return [];
  const names = following.map(({ name }) => name);
  const shown = names.slice(0, limit).join(', ');
  const more = names.length > limit ? ` and ${names.length - limit} more` : '';
  return [`come with the ${axes.join(' or ')}: ${shown}${more} (all with ibench compare A B)`];
}

function differenceRow(
  kind: string,
  difference: ClassifiedDifference,
  runs: Comparability['runs'],
  labels: number,
): Row {
  const cells = [kind, difference.area, difference.name, valuesText(difference, runs, labels)];
  return { cells: cells.map((text) => wordCell(text)) };
}

/** `off in pg17.9.base, on in pg18.4.base`. */
function valuesText(
  difference: ClassifiedDifference,
  runs: Comparability['runs'],
  limit: number,
): string {
  return valuesOf(difference, runs)
    .map(({ value, labels }) => `${shortDigests(value)} in ${cut(labels, limit)}`)
    .join(', ');
}

/** Of a checksum, enough digits to tell two apart. */
export function shortDigests(value: string): string {
  return value.replace(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1…');
}

function cut(labels: readonly string[], limit: number): string {
  if (labels.length <= limit) return labels.join(', ');
  return `${labels.slice(0, limit).join(', ')} and ${labels.length - limit} more`;
}

/** The surprises as lines of text: `setting data_checksums: off in pg17.9.base, on in pg18.4.base`. */
export function surpriseLines({ runs, differences }: Comparability): string[] {
  return differences
    .filter(({ kind }) => kind === 'surprise')
    .map(
      (difference) =>
        `${difference.area} ${difference.name}: ${valuesText(difference, runs, BRIEF.labels)}`,
    );
}
