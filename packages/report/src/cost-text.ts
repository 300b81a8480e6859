import { type CostChange, type CostMetric, isQueryStep } from '@ibench/core';

interface CostWords {
  readonly name: string;
  /** op: of the step's own operations; insert: of inserts in every step. */
  readonly of: 'op' | 'insert';
  readonly unit: string;
}

const WORDS: Readonly<Record<CostMetric, CostWords>> = {
  cpupq: { name: 'CPU', of: 'op', unit: ' µs' },
  cspq: { name: 'context switches', of: 'op', unit: '' },
  rpq: { name: 'reads', of: 'op', unit: '' },
  rkbpq: { name: 'KB read', of: 'op', unit: '' },
  wpi: { name: 'writes', of: 'insert', unit: '' },
  wkbpi: { name: 'KB written', of: 'insert', unit: '' },
  wal_bytes_per_insert: { name: 'WAL bytes', of: 'insert', unit: '' },
  full_page_images_per_insert: { name: 'full-page images', of: 'insert', unit: '' },
  fsyncs_per_insert: { name: 'flushes', of: 'insert', unit: '' },
};

/** `CPU/insert −12% (75 → 66 µs), KB written/insert −4% (2.14 → 2.05)`; `no cost moved with it` for none. */
export function costsText(costs: readonly CostChange[], step: string): string {
  if (costs.length === 0) return 'no cost per operation moved with it';
  return costs.map((cost) => costText(cost, step)).join(', ');
}

function costText({ metric, base, value, ratio }: CostChange, step: string): string {
  const { name, of, unit } = WORDS[metric];
  const per = of === 'insert' || !isQueryStep(step) ? perInsert(step) : 'query';
  return `${name}/${per} ${percentChange(ratio)} (${threeDigits(base)} → ${threeDigits(value)}${unit})`;
}

/** In l.x, rows are indexed rather than inserted. */
function perInsert(step: string): string {
  return step === 'l.x' ? 'row' : 'insert';
}

/** `−12%`, `+3%`; from three times the base on as a factor: `4.2x`; nearly all with a decimal: `−99.8%`. */
function percentChange(ratio: number): string {
  if (!Number.isFinite(ratio)) return 'new';
  if (ratio >= 3) return `${ratio.toFixed(1)}x`;
  const percent = Math.abs(ratio - 1) * 100;
  return `${ratio < 1 ? '−' : '+'}${percent.toFixed(ratio > 0 && ratio < 0.01 ? 1 : 0)}%`;
}

/** Three significant digits, without an exponent: 75.0, 0.0123, 12345. */
export function threeDigits(value: number): string {
  if (value === 0) return '0';
  const decimals = 2 - Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, decimals)));
}
