import { type FoldedStacks, fromMain, type RunProfile, totalSamples } from '@ibench/core';
import { groupStacks, type ProfileGroup } from './profile-group.ts';

/** What a flame graph shows. */
export interface FlameGraph {
  readonly title: string;
  /** Where and how it was sampled, a line each. */
  readonly notes: readonly string[];
  readonly stacks: FoldedStacks;
  /** Compared with; null: with nothing. Both are normalised to the same width. */
  readonly base: FoldedStacks | null;
}

/** Said once of all flame graphs of a page. */
export const FLAME_NOTE =
  'Time on a CPU, kernel included where perf may see it; time spent waiting is not in the picture.';

/** The flame graph of a group of profiles; with a base, of what changed from it. */
export function graphOf(title: string, group: ProfileGroup, base: ProfileGroup | null): FlameGraph {
  return {
    title,
    notes: [
      ...describe(group),
      ...(base === null ? [] : [...describe(base), ...unlikeness(group, base)]),
    ],
    stacks: base === null ? groupStacks(group) : fromMain(groupStacks(group)),
    base: base === null ? null : fromMain(groupStacks(base)),
  };
}

/** Samples below which shares say little: one of 5% is then uncertain by a quarter of itself. */
const MANY_SAMPLES = 300;

/** A line for each run; those of repeats are added up. */
function describe(group: ProfileGroup): string[] {
  const runs = new Set(group.map(({ runId }) => runId));
  const lines = [...runs].map((id) => describeRun(group.filter(({ runId }) => runId === id)));
  const samples = totalSamples(groupStacks(group));
  if (samples >= MANY_SAMPLES) return lines;
  return [...lines, `${group[0].tag}: few samples (${samples}), so that small shares are chance`];
}

function describeRun(profiles: readonly RunProfile[]): string {
  const { runId, tag, client, event, callGraph, frequencyHz, fromS, toS } =
    profiles[0] as RunProfile;
  const samples = profiles.reduce((sum, { stacks }) => sum + totalSamples(stacks), 0);
  const clients = profiles.length === 1 ? `client ${client}` : `${profiles.length} clients`;
  return `${tag} (${runId}), ${clients}: ${samples} samples of ${event} at ${frequencyHz} Hz from second ${fromS.toFixed(1)} to ${toS.toFixed(1)} of the step, stacks by ${callGraph}`;
}

/** Other events and other ways to walk stacks give other shares of the same work. */
function unlikeness(group: ProfileGroup, base: ProfileGroup): string[] {
  const [ours, theirs] = [group, base].map((profiles) => {
    const ways = profiles.map(({ event, callGraph }) => `${event}, ${callGraph}`);
    return [...new Set(ways)].sort().join('; ');
  });
  if (ours === theirs) return [];
  return [
    `not sampled alike (${ours}; the base: ${theirs}): part of the difference comes from that`,
  ];
}
