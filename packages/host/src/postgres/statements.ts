import type postgres from 'postgres';

/** How long a statement of ours may take that no data makes long. */
export const STATEMENT_MS = 120_000;

/** How long a server may take to cancel a statement. */
const CANCEL_MS = 2_000;

/** Statements that were sent and have not been answered: each ends, by itself or by being cancelled. */
export class Statements {
  readonly #underWay = new Set<postgres.PendingQuery<postgres.Row[]>>();

  /**
   * Sends a statement. After its time it is cancelled, and given up where the server does not even do that.
   *
   * @param limitMs null: the data decides how long it takes, and it is cancelled with `cancel` alone
   */
  async send(
    query: postgres.PendingQuery<postgres.Row[]>,
    limitMs: number | null,
  ): Promise<postgres.Row[]> {
    this.#underWay.add(query);
    const timers: NodeJS.Timeout[] = [];
    const late = new Promise<never>((_, reject) => {
      if (limitMs === null) return;
      const giveUp = (): void => reject(new Error(`no answer within ${limitMs / 1000} s`));
      timers.push(setTimeout(() => cancel(query), limitMs));
      timers.push(setTimeout(giveUp, limitMs + CANCEL_MS));
    });
    try {
      return [...(await Promise.race([query, late]))];
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.#underWay.delete(query);
    }
  }

  /** Asks the server to cancel everything that is under way, on connections of its own. */
  cancel(): void {
    for (const query of this.#underWay) cancel(query);
  }
}

/** What the library's `cancel` calls once. */
interface Cancellable {
  canceller: ((query: unknown) => Promise<void>) | null;
}

/**
 * Does what the library's `cancel` does, which lets go of the promise: a server that is going away closes
 * the connection that it cancels over, and a failure that nobody takes ends the program.
 */
function cancel(query: postgres.PendingQuery<postgres.Row[]>): void {
  const cancellable = query as unknown as Cancellable;
  cancellable.canceller?.(query).catch(() => {});
  cancellable.canceller = null;
}
