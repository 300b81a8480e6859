import {
  DECIMAL_NAMES,
  type RunRecord,
  type StatementKind,
  type StepRecord,
  type TimesSummary,
} from '@ibench/core';
import { run, step } from '@ibench/core/testing';
import { readCsv } from './fixtures.ts';
import { times } from './step-parts.ts';

/** The published runs of seed003: their metrics, SLA targets and histograms as run records. */
export function seed003Runs(): RunRecord[] {
  const rows = readCsv('seed003_metrics.csv');
  const tags = [...new Set(rows.map((row) => row.tag!))];
  return tags.map((tag) =>
    run(
      tag,
      rows.filter((row) => row.tag === tag).map((row) => publishedStep(row)),
    ),
  );
}

function publishedStep(row: Record<string, string>): StepRecord {
  const { step: name, tag, rate_basis: _, ncores: __, seed_line: ___, ...columns } = row;
  const metrics = Object.fromEntries(
    Object.entries(columns).map(([key, text]) => [key, text === 'NA' ? null : Number(text)]),
  );
  const dbms = tag!.replace('20m.', '');
  const sla = readCsv('seed003_sla.csv').find((r) => r.dbms === dbms && r.step === name);
  const targetIps = sla === undefined ? null : Number(sla.target_ips);
  return step(
    name!,
    { ...metrics, target_ips: targetIps },
    {
      times: readCsv('seed003_histograms.csv')
        .filter((r) => r.dbms === dbms && r.step === name)
        .map((r) => publishedTimes(r)),
    },
  );
}

/** Counts that print as the published percentages; what rounding lost is spread over the buckets. */
function publishedTimes(row: Record<string, string>): TimesSummary {
  const cells = DECIMAL_NAMES.map((name) => row[name]!);
  const percents = cells.map((cell) => (cell === 'nonzero' ? 0 : Number(cell)));
  const filled = cells.filter((cell) => cell !== '0.000').length;
  const lost = (100 - percents.reduce((sum, percent) => sum + percent, 0)) / filled;
  const decimal = cells.map((cell, i) =>
    cell === '0.000' ? 0 : Math.max(1, Math.round((percents[i]! + lost) * 1e6)),
  );
  const maxUs = Number(row.max) * 1e6;
  const kind = row.kind as StatementKind;
  return times([kind, 'service'], decimal, [maxUs, maxUs, maxUs, maxUs, maxUs]);
}
