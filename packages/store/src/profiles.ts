import { deflateSync, inflateSync } from 'node:zlib';
import {
  foldedText,
  parseFolded,
  type RunProfile,
  type StepProfile,
  totalSamples,
} from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { toColumns, transact } from './write.ts';

/** Keeps what was sampled in a step. */
export function saveProfiles(
  store: Store,
  stepKey: number,
  profiles: readonly StepProfile[],
): void {
  const insert = prepare(
    store,
    `INSERT INTO profile (step_key, client, role, event, call_graph, frequency_hz, from_s, to_s, samples, stacks)
     VALUES (@step_key, @client, @role, @event, @call_graph, @frequency_hz, @from_s, @to_s, @samples, @stacks)`,
  );
  transact(store, () => {
    for (const { stacks, ...described } of profiles) {
      insert.run({
        step_key: stepKey,
        ...toColumns(described),
        samples: totalSamples(stacks),
        stacks: deflateSync(foldedText(stacks)),
      });
    }
  });
}

interface ProfileRow extends Omit<RunProfile, 'stacks'> {
  readonly stacks: Buffer;
}

/** The profiles of a run, or of one of its steps, in the order of the steps. */
export function loadProfiles(
  store: Store,
  runId: string,
  step: string | null = null,
): RunProfile[] {
  const rows = prepare(
    store,
    `SELECT run_id AS runId, tag, step, client, role, event, call_graph AS callGraph, frequency_hz AS frequencyHz,
       from_s AS fromS, to_s AS toS, stacks
     FROM run JOIN step USING (run_key) JOIN profile USING (step_key)
     WHERE run_id = @runId AND (@step IS NULL OR step = @step) ORDER BY seq, role, client`,
  ).all({ runId, step }) as ProfileRow[];
  return rows.map((row) => ({ ...row, stacks: parseFolded(inflateSync(row.stacks).toString()) }));
}
