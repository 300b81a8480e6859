import type { Audit } from '@ibench/core';
import type { ServerState } from '@ibench/host';

/** Changed settings that are named; more are only counted. */
const NAMED = 5;

/** Settings that were others: where it was seen first, and all that was seen. */
interface Found {
  readonly where: string;
  readonly changes: Set<string>;
}

/**
 * Is the server still the one that the run began with, with the settings it was given? What changed once
 * makes every later step invalid as well, also when it was changed back: data and caches remember it.
 */
export class StateWatch {
  readonly #began: ServerState;
  #found: Found | null = null;

  /** @param began the server's state when the run began */
  constructor(began: ServerState) {
    this.#began = began;
  }

  /**
   * Compares the settings.
   *
   * @param where in words, such as `at the end of l.i1`
   */
  look(where: string, now: ServerState): void {
    const changes = changesOf(this.#began, now);
    if (changes.length === 0) return;
    this.#found ??= { where, changes: new Set() };
    for (const change of changes) this.#found.changes.add(change);
  }

  /** The verdicts on a step that has just ended. */
  end(step: string, now: ServerState): Audit[] {
    this.look(`at the end of ${step}`, now);
    return [
      restartAudit(this.#began, now),
      settingsAudit(now, this.#found),
      reloadAudit(this.#began, now),
    ];
  }
}

function restartAudit(began: ServerState, now: ServerState): Audit {
  const restarted = began.startedAt !== now.startedAt;
  const recovered = began.recoveredAt !== now.recoveredAt;
  const reason = restarted
    ? `the server was restarted at ${now.startedAt}: it had been running since ${began.startedAt}`
    : recovered
      ? `the server's processes were started anew at ${now.recoveredAt}, as after a crash`
      : 'the server ran all the time';
  const verdict = restarted || recovered ? 'invalid' : 'ok';
  return { name: 'restart', verdict, value: null, bound: null, reason };
}

function settingsAudit({ settings }: ServerState, found: Found | null): Audit {
  const changes = [...(found?.changes ?? [])];
  const more = changes.length > NAMED ? `; and ${changes.length - NAMED} more` : '';
  return {
    name: 'settings',
    verdict: found === null ? 'ok' : 'invalid',
    value: changes.length,
    bound: 0,
    reason:
      found === null
        ? `all ${settings.size} settings are as they were when the run began`
        : `settings did not stay what they were when the run began, as was found ${found.where}: ${changes.slice(0, NAMED).join('; ')}${more}`,
  };
}

/** In words, for each setting that differs: `work_mem was 4096 × kB, then 1024 × kB`. */
function changesOf({ settings: before }: ServerState, { settings: after }: ServerState): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map(
      (name) => `${name} was ${before.get(name) ?? 'absent'}, then ${after.get(name) ?? 'absent'}`,
    );
}

/** Settings that were changed and changed back within a step leave only this trace. */
function reloadAudit(began: ServerState, now: ServerState): Audit {
  const isSame = began.configReadAt === now.configReadAt;
  return {
    name: 'reload',
    verdict: isSame ? 'ok' : 'warned',
    value: null,
    bound: null,
    reason: isSame
      ? 'the configuration was not read again'
      : `the server read its configuration again at ${now.configReadAt}: settings may have been others for a while`,
  };
}
