import { readFileSync } from 'node:fs';
import {
  DECIMAL_NAMES,
  isQueryStep,
  type StatementKind,
  type StepKind,
  type StepMetrics,
  type StepResult,
  stepMetrics,
  type TimesSummary,
} from '@ibench/core';
import { closeStore, createRun, finishRun, finishStep, openStore, startStep } from '@ibench/store';

const AT = '2023-05-01T00:00:00.000Z';

/** Records of a CSV file of `packages/<name>/test/fixtures`, by column. */
export function readFixture(path: string): Record<string, string>[] {
  const file = new URL(`../../../${path}`, import.meta.url);
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const keys = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((v, i) => [keys[i]!, v])));
}

const published = (name: string): Record<string, string>[] =>
  readFixture(`report/test/fixtures/seed003_${name}.csv`);

/** A store with the published runs of 2023 (their origin: report/test/fixtures/README.md). */
export function publishedStore(file: string): void {
  const store = openStore(file);
  const rows = published('metrics');
  for (const [i, tag] of [...new Set(rows.map((row) => row.tag!))].entries()) {
    const runKey = createRun(store, {
      runId: `published-${i + 1}`,
      tag,
      build: tag,
      config: 'cx7_1g',
      workload: '20m',
      clients: 4,
      startedAt: AT,
      directory: '/nowhere',
      runnerPid: 1,
      runnerStart: '1',
      seed: 1,
      toolVersion: '0.1.0',
      commandLine: 'published',
    });
    for (const [seq, row] of rows.filter((one) => one.tag === tag).entries()) {
      const step = row.step!;
      const kind: StepKind = isQueryStep(step) ? 'read-write' : step === 'l.x' ? 'index' : 'load';
      const stepKey = startStep(store, runKey, { seq: seq + 1, step, kind, startedAt: AT });
      finishStep(store, stepKey, {
        finishedAt: AT,
        result: NOTHING,
        metrics: metricsOf(row),
        times: timesOf(tag, step),
      });
    }
    finishRun(store, runKey, { status: 'done', message: null, finishedAt: AT });
  }
  closeStore(store);
}

const NOTHING: StepResult = {
  seconds: 1800,
  targetIps: null,
  rowsIndexed: 0,
  workers: [],
  perSecond: [],
  osBefore: null,
  osAfter: null,
  cpuSplit: null,
  sizes: { databaseBytes: null, dataDirectoryBytes: null, residentBytes: null },
  wal: { walBytes: null, fullPageImages: null },
  tables: [],
  warnings: [],
  server: null,
  background: [],
  audits: [],
};

function metricsOf(row: Record<string, string>): StepMetrics {
  const { step, tag, rate_basis: _, ncores: __, seed_line: ___, ...columns } = row;
  const figures = Object.entries(columns).map(([name, text]) => [
    name,
    text === 'NA' ? null : Number(text),
  ]);
  const dbms = tag!.replace('20m.', '');
  const sla = published('sla').find((one) => one.dbms === dbms && one.step === step);
  return {
    ...stepMetrics(step!, 'load', NOTHING),
    ...Object.fromEntries(figures),
    target_ips: sla === undefined ? null : Number(sla.target_ips),
  };
}

function timesOf(tag: string, step: string): TimesSummary[] {
  const dbms = tag.replace('20m.', '');
  return published('histograms')
    .filter((row) => row.dbms === dbms && row.step === step)
    .map((row) => {
      const decimal = countsOf(DECIMAL_NAMES.map((name) => row[name]!));
      const maxUs = Number(row.max) * 1e6;
      return {
        kind: row.kind as StatementKind,
        clock: 'service' as const,
        count: decimal.reduce((sum, count) => sum + count, 0),
        maxUs,
        decimal,
        percentiles: {},
      };
    });
}

/** Counts that print as the published percentages; what rounding lost is spread over the buckets. */
function countsOf(cells: readonly string[]): number[] {
  const percents = cells.map((cell) => (cell === 'nonzero' ? 0 : Number(cell)));
  const filled = cells.filter((cell) => cell !== '0.000').length;
  const lost = (100 - percents.reduce((sum, percent) => sum + percent, 0)) / filled;
  return cells.map((cell, i) =>
    cell === '0.000' ? 0 : Math.max(1, Math.round((percents[i]! + lost) * 1e6)),
  );
}
