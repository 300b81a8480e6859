import { spread } from './statistics.mjs';

/**
 * One row of the table. `ibench` and `peer.value` are medians over the rounds; `ratio` is the median of
 * the rounds' ratios ibench / peer with the smallest and the largest. What was not measured is null.
 *
 * @param ours samples of ibench, one number a round
 * @param peer { name, samples } or { name, missing: why there are none }
 * @param target { atLeast } or { atMost }, of the ratio; null: none
 */
export function ratioRow({ what, unit, ours, peer, target = null, note = null }) {
  const missing = peer.missing ?? null;
  const ratio = missing === null ? spread(ours.map((value, i) => value / peer.samples[i])) : null;
  return {
    what,
    unit,
    ibench: spread(ours).median,
    peer: {
      name: peer.name,
      value: missing === null ? spread(peer.samples).median : null,
      missing,
    },
    ratio,
    spread: spread(ours),
    target: target === null ? null : { of: 'ratio', ...target },
    met: ratio === null ? null : isMet(ratio.median, target),
    note,
    samples: { ibench: ours, peer: peer.samples ?? null },
  };
}

/** A row whose target is a value of ibench itself. */
export function valueRow({ what, unit, ours, target = null, note = null }) {
  return {
    what,
    unit,
    ibench: spread(ours).median,
    peer: null,
    ratio: null,
    spread: spread(ours),
    target: target === null ? null : { of: 'value', ...target },
    met: isMet(spread(ours).median, target),
    note,
    samples: { ibench: ours, peer: null },
  };
}

/** A row that could not be measured here. */
export function missingRow({ what, unit, target = null, note }) {
  return {
    what,
    unit,
    ibench: null,
    peer: null,
    ratio: null,
    spread: null,
    target: target === null ? null : { of: 'ratio', ...target },
    met: null,
    note,
    samples: { ibench: null, peer: null },
  };
}

function isMet(value, target) {
  if (target === null) return null;
  return target.atLeast === undefined ? value <= target.atMost : value >= target.atLeast;
}
