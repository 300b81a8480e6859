/**
 * Something the user gave is wrong: an option, a file, a name. The message names the place, what was
 * expected and what came. The program ends with exit code 2 and no stack trace.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/**
 * The benchmark, the server or the host failed. The message says what, where, and what to do next.
 * The program ends with exit code 1 and no stack trace.
 */
export class RunError extends Error {
  override readonly name: string = 'RunError';
  /** SQLSTATE reported by the database, where there is one. */
  readonly sqlstate: string | undefined;

  constructor(message: string, options: { cause?: unknown; sqlstate?: string | undefined } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.sqlstate = options.sqlstate;
  }
}
