import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { execa } from 'execa';

/** How to run vmstat or iostat. */
export interface ToolOptions {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** File that everything it prints is appended to. */
  readonly rawFile: string;
  /** Folders to look for it in, as PATH; undefined: ours. */
  readonly path: string | undefined;
  /** A whole line came, without its newline; the time is CLOCK_MONOTONIC in ns. */
  onLine(line: string, atNs: bigint): void;
  onWarning(text: string): void;
}

/** A tool that runs beside the step. */
export interface Tool {
  readonly pid: number;
  /** Resolves when it has ended, to how it ended, in words. */
  readonly ended: Promise<string>;
  /** Ends it with SIGTERM, after 2 s with SIGKILL; returns when it is gone and its raw text is on disk. */
  stop(): Promise<void>;
}

/**
 * Starts a tool, or returns in words why it cannot be started.
 *
 * It is detached, so that Ctrl-C in the terminal reaches us alone and the series lasts until we stop it. Its output
 * comes to us through a pipe, not straight into the file: when we are killed, its next report ends it (SIGPIPE).
 */
export async function startTool(options: ToolOptions): Promise<Tool | string> {
  const [file, ...args] = options.command;
  const subprocess = execa(file, args, {
    detached: true,
    reject: false,
    buffer: { stdout: false },
    stdin: 'ignore',
    env: { LC_ALL: 'C', ...(options.path === undefined ? {} : { PATH: options.path }) },
  });
  const { pid } = subprocess;
  if (pid === undefined) {
    const failure = await subprocess;
    return failure.code === 'ENOENT' ? 'it is not installed' : String(failure.shortMessage);
  }
  const raw = createWriteStream(options.rawFile, { flags: 'a' });
  raw.on('error', (error) => {
    options.onWarning(`The text of ${options.name} is not kept: ${error.message}`);
  });
  const takeText = lineSplitter(options.onLine);
  subprocess.stdout.on('data', (chunk: Buffer) => {
    const atNs = process.hrtime.bigint();
    raw.write(chunk);
    takeText(chunk.toString('latin1'), atNs);
  });
  let isOver = false;
  const ended = subprocess.then(({ stderr, signal, exitCode }) => {
    isOver = true;
    return stderr.trim() || `it ended with ${signal ?? `exit code ${exitCode}`}`;
  });
  const stop = async (): Promise<void> => {
    // Its pid may be another process by now.
    if (!isOver) await endGroup(pid, ended);
    raw.end();
    // A write error was warned about already and must not keep the step from ending.
    await finished(raw).catch(() => undefined);
  };
  return { pid, ended, stop };
}

const GRACE_MS = 2000;

/** A detached process leads a process group, which a wrapper script shares with the tool it runs. */
async function endGroup(pid: number, ended: Promise<string>): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(timer);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

/** Takes text in any pieces and hands on whole lines. */
function lineSplitter(
  onLine: (line: string, atNs: bigint) => void,
): (text: string, atNs: bigint) => void {
  let rest = '';
  return (text, atNs) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line, atNs);
  };
}
