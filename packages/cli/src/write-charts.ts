import path from 'node:path';
import { chartFiles, type PageInput } from '@ibench/html';
import { humanTerminal } from './environment.ts';
import { writeWholeText } from './write-whole.ts';

/** As `ibench chart` draws unless it is told otherwise. */
const LOOK = {
  view: { width: 900, overlay: false, range: null, hidden: new Set<number>() },
  theme: 'light',
} as const;

/**
 * Writes every chart of a report to a folder, a file each, and says how many.
 *
 * @throws RunError for a file that cannot be written
 */
export async function writeCharts(folder: string, input: PageInput): Promise<void> {
  const there = path.resolve(folder);
  let files = 0;
  let bytes = 0;
  for (const { name, svg } of chartFiles(input, LOOK)) {
    bytes += await writeWholeText(path.join(there, name), svg);
    files++;
  }
  humanTerminal().write(`${there}: ${files} charts, ${Math.ceil(bytes / 1024)} kB\n`);
}
