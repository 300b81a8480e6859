/** What a line of a configuration file sets. */
export interface ParsedLine {
  /** Lower case. */
  readonly name: string;
  /** The value as it stands in the file, with its quotes. */
  readonly written: string;
  /** What PostgreSQL reads from it. */
  readonly value: string;
  /** Per cent of `N% of memory`; null for a value that PostgreSQL can read. */
  readonly memoryPercent: number | null;
  /** The comment at the end, from its #; empty where there is none. */
  readonly comment: string;
}

/**
 * A line as PostgreSQL's scanner takes it (src/backend/utils/misc/guc-file.l): the "=" may be left out, a
 * comment may follow, and a value that is neither a word nor a plain number is in quotes. A share of the
 * memory is ours: no line of PostgreSQL's looks like it.
 */
const SPACE = '[ \\t\\r]*';
const LETTER = '[A-Za-z_\\u0080-\\uffff]';
const WORD = '[\\w\\u0080-\\uffff]';
const ID = `${LETTER}${WORD}*`;
const UNQUOTED = '[\\w.:/\\u0080-\\uffff-]';
const NAME = `(${ID}(?:\\.${ID})?)(?!${UNQUOTED})`;
const STRING = "'((?:[^'\\\\]|\\\\.|'')*)'";
const SHARE = '(\\d+(?:\\.\\d+)?)[ \\t]*%[ \\t]+of[ \\t]+memory';
const NUMBER = '[-+]?(?:(?:0x[\\da-fA-F]+|\\d+)[A-Za-z]*|\\d*\\.\\d*(?:[Ee][-+]?\\d+)?)';
const BARE = `(?!${ID}\\.${ID}(?!${UNQUOTED}))${LETTER}${UNQUOTED}*`;
const LINE = new RegExp(
  `^${SPACE}${NAME}${SPACE}=?${SPACE}(${STRING}|${SHARE}|${NUMBER}|${BARE})${SPACE}(#.*)?$`,
);

/** Reads a line that sets something; null when it does not. */
export function parseLine(line: string): ParsedLine | null {
  const match = LINE.exec(line);
  if (match === null) return null;
  const [, name, written, quoted, percent, comment] = match;
  return {
    name: (name as string).toLowerCase(),
    written: written as string,
    value: quoted === undefined ? (written as string) : unquote(quoted),
    memoryPercent: percent === undefined ? null : Number(percent),
    comment: comment ?? '',
  };
}

/** The text of a line that is only a comment, from its #; empty for a blank line; null for others. */
export function parseComment(line: string): string | null {
  return /^[ \t\r]*(#.*)?$/s.exec(line) === null ? null : line.trim();
}

/** What DeescapeQuotedString of guc-file.l makes of a string: doubled quotes, C's escapes, octal bytes. */
function unquote(text: string): string {
  return text.replaceAll(/''|\\([0-7]{1,3}|.)/g, (_, escaped: string | undefined) => {
    if (escaped === undefined) return "'";
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return ESCAPES[escaped] ?? escaped;
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
