import type { Audit } from '@ibench/core';
import type { ServerState } from '@ibench/host';

/** Changed settings that are named; more are only counted. */
const NAMED = 5;

/**
 * Is the server still the one that the run began with, with the settings it was given? What changed in
 * an earlier step makes every later one invalid as well.
 *
 * @param began its state when the run began; @param now after the step
 */
export function stateAudits(began: ServerState, now: ServerState): Audit[] {
  return [restartAudit(began, now), settingsAudit(began, now), reloadAudit(began, now)];
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

function settingsAudit({ settings: before }: ServerState, { settings: after }: ServerState): Audit {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changes = names
    .filter((name) => before.get(name) !== after.get(name))
    .map(
      (name) => `${name} was ${before.get(name) ?? 'absent'}, is ${after.get(name) ?? 'absent'}`,
    );
  const more = changes.length > NAMED ? `; and ${changes.length - NAMED} more` : '';
  return {
    name: 'settings',
    verdict: changes.length === 0 ? 'ok' : 'invalid',
    value: changes.length,
    bound: 0,
    reason:
      changes.length === 0
        ? `all ${names.length} settings are as they were when the run began`
        : `settings are not what they were when the run began: ${changes.slice(0, NAMED).join('; ')}${more}`,
  };
}

/** Settings that were changed and changed back leave only this trace. */
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
