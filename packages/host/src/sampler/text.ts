import { stripVTControlCharacters } from 'node:util';

/** Lines of a text; `unfinished` is what follows the last newline: its writer may have been cut off in it. */
export interface TextLines {
  readonly lines: readonly string[];
  readonly unfinished: string;
}

/** Splits a text into its finished lines and the rest. */
export function splitLines(text: string): TextLines {
  const lines = text.split('\n');
  const unfinished = lines.pop() ?? '';
  return { lines, unfinished };
}

/** The words of a line, without terminal colours and carriage return. */
export function words(line: string): string[] {
  const clean = stripVTControlCharacters(line).trim();
  return clean === '' ? [] : clean.split(/\s+/);
}

/** A plain decimal number, with a decimal point or a decimal comma; null: not a number. */
export function readNumber(word: string | undefined): number | null {
  if (word === undefined || !/^-?\d+(?:[.,]\d+)?$/.test(word)) return null;
  return Number(word.replace(',', '.'));
}
