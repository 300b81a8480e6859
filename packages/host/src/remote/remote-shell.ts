import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { RunError } from '@ibench/core';
import { deferred } from '../load/deferred.ts';

/** The other host does not answer: nothing can be read there now. */
export class HostUnreachable extends RunError {
  override readonly name: string = 'HostUnreachable';
}

/** What a command printed on standard output, and its exit code. */
export interface Answer {
  readonly text: string;
  readonly status: number;
}

const ANSWER_MS = 15_000;

/** ssh as it is called here: it never asks anything, and gives up on a host that does not answer. */
export function sshCommand(host: string, command: string): readonly [string, ...string[]] {
  return ['ssh', '-T', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10', host, command];
}

/**
 * A shell on another host that answers requests, over one ssh process that stays: a request costs one
 * round trip. It is started when it is first asked, and again after it was lost.
 */
export class RemoteShell {
  readonly host: string;
  #session: Session | null = null;

  constructor(host: string) {
    this.host = host;
  }

  /**
   * Runs commands one after the other, in one round trip.
   *
   * @throws HostUnreachable when ssh ends, or the answer takes longer than `limitMs`
   */
  async run(commands: readonly string[], limitMs: number = ANSWER_MS): Promise<readonly Answer[]> {
    if (commands.length === 0) return [];
    if (this.#session === null || this.#session.isOver) this.#session = new Session(this.host);
    const session = this.#session;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(this.#unreachable(`no answer within ${limitMs / 1000} s`));
        session.end();
      }, limitMs);
    });
    try {
      return await Promise.race([session.ask(commands), late]);
    } catch (error) {
      if (error instanceof HostUnreachable) throw error;
      throw this.#unreachable((error as Error).message);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whole files, in the order of the paths; throws when one cannot be read. */
  async readFiles(paths: readonly string[]): Promise<readonly string[]> {
    const answers = await this.run(paths.map((path) => `cat ${quote(path)}`));
    const failed = answers.findIndex(({ status }) => status !== 0);
    if (failed >= 0) throw new RunError(`${paths[failed]} on ${this.host} cannot be read`);
    return answers.map(({ text }) => text);
  }

  /** Ends ssh, and returns when it is gone. */
  async close(): Promise<void> {
    this.#session?.end();
    await this.#session?.gone;
  }

  #unreachable(why: string): HostUnreachable {
    return new HostUnreachable(`${this.host} cannot be read over ssh: ${why}`);
  }
}

/** One word for the shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** One ssh process. Its answers come in the order of its requests. */
class Session {
  readonly gone: Promise<void>;
  /** It answers no more. */
  isOver = false;
  readonly #child: ChildProcess;
  /** A line that no file has; random so that not even one that holds our program has it. */
  readonly #mark = `--ibench-${randomUUID()}--`;
  readonly #waiting: {
    count: number;
    done: (answers: Answer[]) => void;
    fail: (e: Error) => void;
  }[] = [];
  #received = '';
  #complaint = '';

  constructor(host: string) {
    const [file, ...args] = sshCommand(host, 'sh');
    // In a process group of its own, so that a Ctrl-C in the terminal does not reach it.
    this.#child = spawn(file, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on('error', () => {});
    stdout?.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-1000);
    });
    this.gone = new Promise((resolve) => {
      const over = (why: string): void => {
        this.isOver = true;
        for (const { fail } of this.#waiting.splice(0)) fail(new Error(why));
        resolve();
      };
      this.#child.on('error', (error) => over(error.message));
      this.#child.on('close', (code, signal) =>
        over(this.#complaint.trim() || `ssh ended with ${signal ?? `exit code ${code}`}`),
      );
    });
    // Whatever the login printed comes before the first mark, and is nobody's answer.
    this.ask([':']).catch(() => {});
  }

  ask(commands: readonly string[]): Promise<Answer[]> {
    const { promise, resolve, reject } = deferred<Answer[]>();
    this.#waiting.push({ count: commands.length, done: resolve, fail: reject });
    const script = commands.map(
      (command) => `(${command}) </dev/null 2>/dev/null; printf '\\n${this.#mark} %d\\n' $?\n`,
    );
    this.#child.stdin?.write(script.join(''));
    return promise;
  }

  /** What is asked meanwhile is asked of another session. */
  end(): void {
    const { pid } = this.#child;
    if (this.isOver || pid === undefined) return;
    this.isOver = true;
    try {
      // There is nothing to save: the shell at the other end sees its input end, and ends too.
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  #take(text: string): void {
    this.#received += text;
    for (;;) {
      const next = this.#waiting[0];
      if (next === undefined) return;
      const answers = this.#firstAnswers(next.count);
      if (answers === null) return;
      this.#waiting.shift();
      next.done(answers);
    }
  }

  /** The answers at the beginning of what was received, taken off; null: they are not complete yet. */
  #firstAnswers(count: number): Answer[] | null {
    const answers: Answer[] = [];
    const end = new RegExp(`\\n${this.#mark} (\\d+)\\n`, 'g');
    let from = 0;
    while (answers.length < count) {
      const found = end.exec(this.#received);
      if (found === null) return null;
      answers.push({ text: this.#received.slice(from, found.index), status: Number(found[1]) });
      from = end.lastIndex;
    }
    this.#received = this.#received.slice(from);
    return answers;
  }
}
