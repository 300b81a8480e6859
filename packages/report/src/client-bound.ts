import { type RunGroup, repeatsOf } from './run-group.ts';
import { CLIENT_BOUND_SYMBOL } from './table.ts';
import { throughputOf } from './throughput.ts';

/** The footnote of a table in which the throughput of these steps is shown; none if none is client-bound. */
export function clientBoundNotes(groups: readonly RunGroup[], steps: readonly string[]): string[] {
  const marked = groups.some((group) =>
    steps.some((step) => throughputOf(group, step).clientBound),
  );
  return marked ? [`${CLIENT_BOUND_SYMBOL} ${MEANING}`] : [];
}

const MEANING =
  'client-bound: the worker that sets the pace waited for the server under 70% of its time; the number is about the load generator rather than the server';

/** A verdict on medians hides repeats that ended the other way; says so, a line per row and step. */
export function splitVerdicts(groups: readonly RunGroup[], steps: readonly string[]): string[] {
  return groups.flatMap((group) => steps.flatMap((step) => splitVerdict(group, step)));
}

function splitVerdict(group: RunGroup, step: string): string[] {
  const { outcome, clientBound } = throughputOf(group, step);
  const repeats = repeatsOf(outcome);
  const { length } = repeats;
  const bound = repeats.filter(({ metrics }) => metrics.client_bound === true).length;
  if (bound === 0 || bound === length) return [];
  const verdict = clientBound ? '' : ', not by the median';
  return [`${group.label}, ${step}: client-bound in ${bound} of ${length} repeats${verdict}`];
}
