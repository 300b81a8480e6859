import type { DoctorFinding } from '@ibench/host';

const WIDTH = 100;

/** Groups in the order that a reader wants them: what needs work comes first. */
const GROUPS = [
  { status: 'bad', symbol: '✗', title: 'Bad: a run here fails, or its numbers mislead' },
  { status: 'warn', symbol: '!', title: 'Warnings: numbers are less comparable or repeatable' },
  { status: 'unknown', symbol: '?', title: 'Not known on this host' },
  { status: 'ok', symbol: '✓', title: 'Good' },
] as const;

/**
 * Findings of the doctor for a reader: grouped, aligned, and no line over 100 characters that could be
 * broken at a blank.
 */
export function doctorText(findings: readonly DoctorFinding[]): string {
  const nameWidth = Math.max(0, ...findings.map(({ check }) => check.length));
  const blocks = GROUPS.flatMap(({ status, symbol, title }) => {
    const members = findings.filter((finding) => finding.status === status);
    if (members.length === 0) return [];
    const entries = members.map((finding) => entry(finding, symbol, nameWidth));
    return [`${title}\n${entries.join('\n')}`];
  });
  return blocks.join('\n\n');
}

function entry({ check, status, found, advice }: DoctorFinding, symbol: string, nameWidth: number) {
  const name = `  ${symbol} ${check.padEnd(nameWidth)}  `;
  const indent = ' '.repeat(name.length);
  const lines = wrap(found, WIDTH - name.length).map((line, i) => (i === 0 ? name : indent) + line);
  if (advice === null || status === 'ok') return lines.join('\n');
  const advised = wrap(advice, WIDTH - name.length - 2);
  return [...lines, ...advised.map((line, i) => `${indent}${i === 0 ? '→' : ' '} ${line}`)].join(
    '\n',
  );
}

/** Lines of at most `width` characters, broken at blanks; a longer word has a line to itself. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
