import { drawCharts, type Look } from './chart-command.ts';
import { type PageInput, pageContext } from './page.ts';

/** A chart of a report as a file. */
export interface ChartFile {
  /** `<step>.<chart>.svg`, or `<chart>.svg` of one over all steps. */
  readonly name: string;
  readonly svg: string;
}

/** All charts of a report, each drawn when it is asked for. */
export function* chartFiles(input: PageInput, look: Look): Generator<ChartFile> {
  const { rows, steps, evidence } = pageContext(input);
  for (const step of [null, ...steps]) {
    for (const { name, svg } of drawCharts({ step, steps, rows, evidence }, look)) {
      yield { name: `${step === null ? '' : `${step}.`}${name}.svg`, svg };
    }
  }
}
