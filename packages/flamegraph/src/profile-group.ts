import { type FoldedStacks, mergeStacks, type RunProfile } from '@ibench/core';

/** Profiles of one step and role that are shown as one: of several clients, or repeats. */
export type ProfileGroup = readonly [RunProfile, ...RunProfile[]];

/** Profiles by step and role, in the order in which these come first. */
export function groupProfiles(profiles: readonly RunProfile[]): ProfileGroup[] {
  const groups = new Map<string, [RunProfile, ...RunProfile[]]>();
  for (const profile of profiles) {
    const name = nameOf(profile);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [profile]);
    else group.push(profile);
  }
  return [...groups.values()];
}

/** Step and role of a group: `l.i1 delete`. */
export function groupName([first]: ProfileGroup): string {
  return nameOf(first);
}

/** The group of the same step and role; null: there is none. */
export function sameGroup(
  groups: readonly ProfileGroup[],
  group: ProfileGroup,
): ProfileGroup | null {
  return groups.find((one) => groupName(one) === groupName(group)) ?? null;
}

/** All that was sampled of a group. */
export function groupStacks(group: ProfileGroup): FoldedStacks {
  return mergeStacks(group.map(({ stacks }) => stacks));
}

function nameOf({ step, role }: RunProfile): string {
  return `${step} ${role}`;
}
