import { functionChanges, functionShares, totalSamples } from '@ibench/core';
import { percent, signedPoints } from './format.ts';
import { CLEAR_Z } from './functions-table.ts';
import type { FlameGraph } from './graph-of.ts';

/** A graph in a line: its samples, and the function that took or changed most. */
export function headline({ stacks, base }: Pick<FlameGraph, 'stacks' | 'base'>): string {
  const samples = `${totalSamples(stacks).toLocaleString('en-US')} samples`;
  if (base === null) {
    const [most] = functionShares(stacks);
    return most === undefined ? samples : `${samples}, most in ${most.name}: ${percent(most.self)}`;
  }
  const clear = functionChanges(base, stacks).find(({ z }) => Math.abs(z) >= CLEAR_Z);
  return clear === undefined
    ? `${samples}, no clear change`
    : `${samples}, most changed ${clear.name}: ${signedPoints(clear.change)} points`;
}
