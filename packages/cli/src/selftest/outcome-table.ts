import type { Cell, Table } from '@ibench/report';
import type { FaultOutcome } from './judge.ts';

/** Longest text of a cell: the tool's messages can have the end of a log in them. */
const MOST = 110;

/** What was done, what the tool must say, and what it said. */
export function outcomeTable(outcomes: readonly FaultOutcome[]): Table {
  const columns = ['ok', 'fault', 'what is done', 'must say', 'said'];
  return {
    id: 'selftest',
    step: null,
    title: 'Faults made on purpose, and what the tool said',
    note: 'Each on a run of its own. ok: it said what it must, no failed step has numbers, nothing is left behind; –: not possible here',
    columns: columns.map((key) => ({ key, label: key, align: 'left' })),
    rows: outcomes.map(({ fault, ok, said, problems }) => ({
      cells: [
        ok === null ? cell('–') : { ...cell(ok ? 'ok' : 'NOT OK'), mark: ok ? 'none' : 'bad' },
        cell(fault.name),
        cell(fault.what),
        cell(fault.mustSay),
        cell([...problems, essence(said, fault.expected)].join('; ')),
      ],
    })),
    footnotes: [],
  };
}

/** The part of a long message that matters, else its beginning. */
function essence(said: string, expected: RegExp): string {
  const oneLine = said.trim().replace(/\s+/g, ' ');
  if (oneLine.length <= MOST) return oneLine;
  const end = expected.exec(said)?.[0].trim().replace(/\s+/g, ' ');
  if (end === undefined || end.length <= MOST) return `${(end ?? oneLine).slice(0, MOST)} …`;
  return `${end.slice(0, MOST / 2)} … ${end.slice(-MOST / 2)}`;
}

function cell(text: string): Cell {
  return { value: text, text, mark: 'none' };
}
