import { UsageError } from '@ibench/core';

/** Words as a shell separates them: at blanks, apart from those in quotes. @throws UsageError */
export function splitWords(text: string): string[] {
  const word = /(?:[^\s'"]+|'[^']*'|"[^"]*")+/g;
  if (text.replaceAll(word, '').trim() !== '') {
    throw new UsageError(`${JSON.stringify(text)}: a quote is not closed`);
  }
  return (text.match(word) ?? []).map((one) =>
    one.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  );
}
