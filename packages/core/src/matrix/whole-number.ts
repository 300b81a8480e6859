import { z } from 'zod';

/** Schema of a whole number within bounds. */
export function wholeNumber(min: number, max: number): z.ZodNumber {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}
