import { escapeMarkup } from '@ibench/chart';
import { FLAME_NOTE, type FlameGraph, flameGraph, headline } from '@ibench/flamegraph';
import { html } from '../markup.ts';
import { anchor } from '../table-html.ts';
import type { StepContext } from './section.ts';

/** What the backends of each role spent their CPU on; null for a step that was not profiled. */
export function flamesSection({ step, flames }: StepContext): string | null {
  if (flames.length === 0) return null;
  const parts = flames.map(({ role, graphs }) => {
    const id = `${step}/flames/${role}`;
    const heading = html('h4', { id }, escapeMarkup(`${role} backends`), anchor(id));
    return heading + graphs.map(collapsed).join('');
  });
  return html('p', { class: 'note' }, FLAME_NOTE) + parts.join('');
}

/** A line that tells the most, and opens into the graph. */
function collapsed(graph: FlameGraph): string {
  return html(
    'details',
    { class: 'flames' },
    html(
      'summary',
      {},
      html('b', {}, escapeMarkup(graph.title)),
      escapeMarkup(`: ${headline(graph)}`),
    ),
    flameGraph(graph),
  );
}
