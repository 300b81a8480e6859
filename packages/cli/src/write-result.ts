import path from 'node:path';
import { humanTerminal, printResult } from './environment.ts';
import { writeWholeText } from './write-whole.ts';

/**
 * Writes a result to a file (see `writeWhole`) and says where and how large; `-` is standard output.
 *
 * @throws RunError for a file that cannot be written
 */
export async function writeResult(out: string, text: string): Promise<void> {
  if (out === '-') return printResult(text);
  const file = path.resolve(out);
  const bytes = await writeWholeText(file, text);
  humanTerminal().write(`${file}: ${Math.ceil(bytes / 1024)} kB\n`);
}
