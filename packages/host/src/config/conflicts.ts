import { CONFLICT_RULES, type ConflictRule, type SettingValues } from './conflict-rules.ts';
import type { ResolvedSetting } from './resolve-config.ts';

/** A rule that a configuration breaks. */
export interface Conflict {
  /** The setting of the configuration that the message is about. */
  readonly setting: ResolvedSetting;
  /** What it conflicts with, what that leads to, and what is expected. */
  readonly words: string;
}

/**
 * Settings of a configuration that exclude each other, what is not set being the build's default. Defaults
 * alone never do, so that nothing is asked about rules that a configuration does not touch.
 *
 * @param ask the value of a setting under the configuration, in its own unit; null: the build has none
 * @param faulty settings whose value means nothing to the build: no rule that looks at one is judged
 */
export async function findConflicts(
  settings: readonly ResolvedSetting[],
  ask: (name: string) => Promise<string | null>,
  faulty: ReadonlySet<string> = new Set(),
): Promise<Conflict[]> {
  const set = new Map(settings.map((setting) => [setting.name, setting]));
  const values: Record<string, string | null> = {};
  const conflicts: Conflict[] = [];
  for (const rule of CONFLICT_RULES) {
    if (rule.settings.some((name) => faulty.has(name))) continue;
    const setting = rule.settings.map((name) => set.get(name)).find((one) => one !== undefined);
    if (setting === undefined) continue;
    for (const name of rule.settings) {
      if (!(name in values)) values[name] = await ask(name);
    }
    if (rule.isConflict(values)) {
      conflicts.push({ setting, words: describe(rule, setting, { set, values }) });
    }
  }
  return conflicts;
}

interface Known {
  readonly set: ReadonlyMap<string, ResolvedSetting>;
  readonly values: SettingValues;
}

function describe(rule: ConflictRule, about: ResolvedSetting, { set, values }: Known): string {
  const others = rule.settings
    .filter((name) => name !== about.name && values[name] !== null)
    .map((name) => `${name} = ${values[name]} (${set.get(name)?.origin ?? 'the default'})`);
  const effect = others.length === 0 ? rule.effect : `with ${others.join(', ')}, ${rule.effect}`;
  return `${effect}: expected ${rule.expected}`;
}
