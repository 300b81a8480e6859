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

const LINE =
  /^\s*([A-Za-z_][\w.]*)\s*(?:=\s*|\s+)(?:'((?:[^'\\]|''|\\.)*)'|([^\s#']+))\s*(?:#.*)?$/;

/**
 * Reads a configuration file in postgresql.conf's syntax; of a name given twice the last counts.
 *
 * @param origin file name for messages
 * @throws UsageError with file and line for a line that is no setting, or a setting that is the runner's
 */
export function parseConfig(name: string, text: string, origin: string): ServerConfig {
  const settings = new Map<string, RequestedSetting>();
  text.split(/\r?\n/).forEach((line, i) => {
    if (/^\s*(#.*)?$/.test(line)) return;
    const place = `${origin}:${i + 1}`;
    const match = LINE.exec(line);
    if (match === null) {
      throw new UsageError(`${place}: expected "name = value", got ${JSON.stringify(line.trim())}`);
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

function unquote(match: RegExpExecArray): string {
  if (match[2] === undefined) return match[3] as string;
  return match[2].replaceAll("''", "'").replaceAll(/\\(.)/g, '$1');
}
