import { figurePairs } from '../figure.ts';
import { keyValuesTable } from '../key-values.ts';
import { joined } from '../markup.ts';
import { renderTable } from '../table-html.ts';
import { flamesSection } from './flames-section.ts';
import type { StepContext, StepSection } from './section.ts';

/** The parts of a step's page, in the order in which they are shown. New ones go here. */
export const STEP_SECTIONS: readonly StepSection[] = [
  {
    id: 'seconds',
    title: 'Second by second',
    render: (context) => {
      const figures = figurePairs(context.step, context.charts.seconds);
      if (figures === null) return null;
      const values = keyValuesTable(context.step, context.rows);
      return figures + renderTable(values, { id: `${context.step}/extremes` });
    },
  },
  {
    id: 'rt',
    title: 'Response times',
    render: (context) =>
      joined(
        tableOf(context, 'histogram'),
        figurePairs(context.step, context.charts.times),
        tableOf(context, 'percentiles'),
      ),
  },
  { id: 'metrics', title: 'Cost per operation', render: (context) => tableOf(context, 'metrics') },
  {
    id: 'cpu',
    title: 'Who spent the CPU',
    render: (context) =>
      joined(figurePairs(context.step, context.charts.cost), tableOf(context, 'details')),
  },
  { id: 'flames', title: 'Flame graphs', render: flamesSection },
  {
    id: 'clients',
    title: 'Fairness between clients',
    render: (context) =>
      joined(figurePairs(context.step, context.charts.clients), tableOf(context, 'fairness')),
  },
  {
    id: 'os',
    title: 'Operating system',
    render: (context) => figurePairs(context.step, context.charts.os),
  },
  {
    id: 'server',
    title: 'Server: waits, statistics, vacuum debt',
    render: (context) =>
      joined(
        figurePairs(context.step, context.charts.server),
        ...SERVER_TABLES.map((id) => tableOf(context, id)),
      ),
  },
  {
    id: 'more',
    title: 'Further tables',
    render: (context) =>
      joined(
        ...context.tables
          .filter(({ id }) => !PLACED.has(id))
          .map((table) => renderTable(table, { id: `${context.step}/${table.id}` })),
      ),
  },
];

const SERVER_TABLES = ['waits', 'server', 'debt', 'sampling'];

/** Tables that a section above shows; any other lands in the last one. */
const PLACED: ReadonlySet<string> = new Set([
  'histogram',
  'percentiles',
  'metrics',
  'details',
  'fairness',
  ...SERVER_TABLES,
]);

function tableOf({ step, tables }: StepContext, id: string): string | null {
  const table = tables.find((one) => one.id === id);
  return table === undefined ? null : renderTable(table, { id: `${step}/t-${id}` });
}
