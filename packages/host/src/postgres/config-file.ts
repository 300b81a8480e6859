import { UsageError } from '@ibench/core';

/** One setting of a configuration file. */
export interface RequestedSetting {
  readonly name: string;
  /** The value without its quotes. */
  readonly value: string;
  readonly line: number;
}

/** A named configuration: settings to append to postgresql.conf. */
export interface ServerConfig {
  readonly name: string;
  readonly text: string;
  readonly settings: readonly RequestedSetting[];
}

/** Settings that the runner decides, with the reason a user is told. */
const OWNED: Readonly<Record<string, string>> = {
  data_directory: 'a run has a data directory of its own',
  hba_file: 'a run has a data directory of its own',
  ident_file: 'a run has a data directory of its own',
  config_file: 'a run has a data directory of its own',
  external_pid_file: 'the runner keeps track of the server',
  unix_socket_directories: 'the socket is in a private directory',
  unix_socket_permissions: 'the socket is in a private directory',
  listen_addresses: 'use --listen for a loopback port',
  port: 'use --listen for a loopback port',
  logging_collector: "the server's log is kept by the runner",
  log_destination: "the server's log is kept by the runner",
};

/**
 * A line as PostgreSQL's scanner takes it (src/backend/utils/misc/guc-file.l): the "=" may be left out, a
 * comment may follow, and a value that is neither a word nor a plain number is in quotes.
 */
const SPACE = '[ \\t\\r]*';
const LETTER = '[A-Za-z_\\u0080-\\uffff]';
const WORD = '[\\w\\u0080-\\uffff]';
const ID = `${LETTER}${WORD}*`;
const UNQUOTED = '[\\w.:/\\u0080-\\uffff-]';
const NAME = `(${ID}(?:\\.${ID})?)(?!${UNQUOTED})`;
const STRING = "'((?:[^'\\\\]|\\\\.|'')*)'";
const NUMBER = '[-+]?(?:(?:0x[\\da-fA-F]+|\\d+)[A-Za-z]*|\\d*\\.\\d*(?:[Ee][-+]?\\d+)?)';
const BARE = `(?!${ID}\\.${ID}(?!${UNQUOTED}))${LETTER}${UNQUOTED}*`;
const LINE = new RegExp(
  `^${SPACE}${NAME}${SPACE}=?${SPACE}(?:${STRING}|(${NUMBER}|${BARE}))${SPACE}(?:#.*)?$`,
);

/**
 * Reads a configuration file in postgresql.conf's syntax; of a name given twice the last counts.
 *
 * @param origin file name for messages
 * @throws UsageError with file and line for a line that is no setting, or a setting that is the runner's
 */
export function parseConfig(name: string, text: string, origin: string): ServerConfig {
  const settings = new Map<string, RequestedSetting>();
  text.split('\n').forEach((line, i) => {
    if (/^[ \t\r]*(#.*)?$/s.test(line)) return;
    const place = `${origin}:${i + 1}`;
    const match = LINE.exec(line);
    if (match === null) {
      throw new UsageError(
        `${place}: expected "name = value", the value in single quotes unless it is a word or a plain number, got ${JSON.stringify(line.trim())}`,
      );
    }
    const setting = (match[1] as string).toLowerCase();
    if (/^include(_dir|_if_exists)?$/.test(setting)) {
      throw new UsageError(
        `${place}: ${setting} is not possible here: put all settings in one file`,
      );
    }
    const reason = OWNED[setting];
    if (reason !== undefined)
      throw new UsageError(`${place}: ${setting} is set by ibench: ${reason}`);
    settings.set(setting, { name: setting, value: unquote(match), line: i + 1 });
  });
  return { name, text, settings: [...settings.values()] };
}

/** What DeescapeQuotedString of guc-file.l makes of a string: doubled quotes, C's escapes, octal bytes. */
function unquote(match: RegExpExecArray): string {
  if (match[2] === undefined) return match[3] as string;
  return match[2].replaceAll(/''|\\([0-7]{1,3}|.)/g, (_, escaped: string | undefined) => {
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
