import { isQueryStep } from '@ibench/core';
import { numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import { doneRepeats, type RunGroup } from './run-group.ts';
import { notDoneCell } from './summary-table.ts';
import type { Cell, Column, Table } from './table.ts';
import { type Throughput, throughputOf } from './throughput.ts';

/**
 * Background insert rate against its target, runs × read-write steps. For machines each step has the
 * achieved rate, the target and the verdict in columns of their own.
 */
export function slaTable(groups: readonly RunGroup[], steps: readonly string[]): Table {
  const columns = steps.filter((step) => isQueryStep(step));
  return {
    id: 'sla',
    step: null,
    title: 'Background inserts against target',
    note: 'Inserts/s achieved of those asked for, over the whole step with what ran past its deadline. ✗ missed the SLA: below 95% of the target',
    columns: [wordColumn('tag'), ...columns.flatMap(slaColumns)],
    rows: groups.map((group) => ({
      cells: [
        wordCell(group.label),
        ...columns.flatMap((step) => slaCells(throughputOf(group, step))),
      ],
    })),
    footnotes: groups.flatMap((group) => columns.flatMap((step) => splitVerdict(group, step))),
  };
}

function slaColumns(step: string): Column[] {
  return [
    numberColumn(step),
    { ...numberColumn(`${step}_target`), dataOnly: true },
    { ...wordColumn(`${step}_sla`), dataOnly: true },
  ];
}

function slaCells(throughput: Throughput): Cell[] {
  const { ips, targetIps, missedSla } = throughput;
  const none = numberCell(null, 0);
  const notDone = notDoneCell(throughput);
  if (notDone !== null) return [notDone, none, none];
  if (ips === null || !targetIps) return [numberCell(ips, 0), numberCell(targetIps, 0), none];
  const percent = (100 * ips) / targetIps;
  const text = `${ips.toFixed(0)} of ${targetIps.toFixed(0)} ${percent.toFixed(1).padStart(5)}%`;
  return [
    { value: ips, text, mark: missedSla ? 'missed-sla' : 'none' },
    numberCell(targetIps, 0),
    wordCell(missedSla ? 'missed' : 'met'),
  ];
}

/** A verdict on medians hides repeats that ended the other way; say so. */
function splitVerdict(group: RunGroup, step: string): string[] {
  const repeats = doneRepeats(group, step);
  const missed = repeats.filter(({ metrics }) => metrics.sla_ok === false).length;
  if (missed === 0 || missed === repeats.length) return [];
  return [`${group.label}, ${step}: ${missed} of ${repeats.length} repeats missed the SLA`];
}
