import type { ForestChart } from '@ibench/chart';
import { NO_VERDICT_BAND } from '@ibench/core';
import { MARK_SYMBOLS, type RatioSpread, type RunGroup, ratioSpreads } from '@ibench/report';

/** Throughput of each row relative to the base in each step; null where there is nothing to compare. The base is first. */
export function forestChart(
  rows: readonly RunGroup[],
  steps: readonly string[],
): ForestChart | null {
  const base = rows[0];
  if (base === undefined) return null;
  const drawn = rows.flatMap((group, row) => {
    const all = ratioSpreads(group, base, steps);
    // Of a base that ran once there is nothing to see: it is 1 by definition.
    const ratios = row === 0 ? all.filter(({ spread }) => spread !== null) : all;
    return ratios.length === 0 ? [] : [{ row, label: group.label, ratios }];
  });
  if (!drawn.some(({ row }) => row > 0)) return null;
  return {
    kind: 'forest',
    id: 'relative',
    title: `Throughput relative to ${base.label}: median (square), repeats (dots, bar), no change (band)${doubts(drawn.flatMap(({ ratios }) => ratios))}`,
    description: drawn.map(({ label, ratios }) => `${label}: ${described(ratios)}`).join('; '),
    band: NO_VERDICT_BAND,
    groups: steps,
    rows: drawn.map(({ row, label, ratios }) => ({
      row,
      label,
      notes: [],
      estimates: ratios.map(({ step, ratio, spread, repeats, mark, bySize }) => ({
        group: steps.indexOf(step),
        ratio,
        spread,
        // One repeat is the square itself.
        repeats: repeats.length > 1 ? repeats : [],
        fill: bySize ? 'hatched' : mark === 'missed-sla' || mark === 'unsure' ? 'hollow' : 'full',
        text: textOf({ ratio, spread, mark }),
      })),
    })),
  };
}

/** What hollow and hatched squares are, where there are any. */
function doubts(ratios: readonly RatioSpread[]): string {
  const has = (mark: RatioSpread['mark']): boolean => ratios.some((one) => one.mark === mark);
  return [
    ...(has('unsure') ? [`not told from noise (hollow, ${MARK_SYMBOLS.unsure})`] : []),
    ...(has('missed-sla') ? [`missed the SLA (hollow, ${MARK_SYMBOLS['missed-sla']})`] : []),
    ...(ratios.some(({ bySize }) => bySize)
      ? ['too few repeats to tell from noise (hatched)']
      : []),
  ]
    .map((text) => `, ${text}`)
    .join('');
}

/** `▲ 1.20 [1.18, 1.30]`. */
function textOf({ ratio, spread, mark }: Pick<RatioSpread, 'ratio' | 'spread' | 'mark'>): string {
  const ends = spread === null ? '' : ` [${spread.map((end) => end.toFixed(2)).join(', ')}]`;
  return `${MARK_SYMBOLS[mark]} ${ratio.toFixed(2)}${ends}`.trim();
}

const DESCRIBED = 11;

function described(ratios: readonly RatioSpread[]): string {
  return ratios
    .slice(0, DESCRIBED)
    .map((one) => `${one.step} ${textOf(one)}`)
    .join(', ');
}
