import { playRounds } from '../rounds.mjs';
import { spread } from '../statistics.mjs';
import { insert } from './inserts.mjs';

const METHODS = {
  values: { insert_method: 'values' },
  prepared: { insert_method: 'prepared' },
  unnest: { insert_method: 'unnest' },
  'copy binary': { insert_method: 'copy', copy_format: 'binary' },
  'copy text': { insert_method: 'copy', copy_format: 'text' },
  singleton: { insert_method: 'singleton' },
  pipeline: { insert_method: 'pipeline' },
};

/** All insert methods as in l.i0, 100 rows at a time: rows/s and client CPU per row (µs). */
export async function measureMethods(bench) {
  const contestants = Object.entries(METHODS).map(([name, workload]) => [
    name,
    () => insert(bench, workload),
  ]);
  const samples = await playRounds(bench, 'insert methods', Object.fromEntries(contestants));
  return Object.entries(samples).map(([method, rounds]) => ({
    method,
    rowsPerSecond: spread(rounds.map(({ rate }) => rate)),
    cpuUsPerRow: spread(rounds.map(({ cpuUs }) => cpuUs)),
  }));
}
