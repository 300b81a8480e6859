import { QUEUE_STATEMENTS, RECORD, RECORD_BYTES } from '@ibench/core/worker';
import { readBlocking, writeBlocking } from './posix.ts';

const FIELDS = RECORD_BYTES / 8;

/** Finished statements that are acknowledged together: half a queue, so that a wake-up pays for several. */
const ACK_STATEMENTS = QUEUE_STATEMENTS / 2;

/**
 * The bounded queue between the pacer and a worker: records travel in one pipe, one byte for each
 * finished statement comes back in another. The sender never has more than QUEUE_STATEMENTS records
 * out that are not acknowledged, so the bound counts the one being executed too. Records and
 * acknowledgements go in groups where there are several: on both sides a system call, and often a
 * wake-up, less for each. Either side that dies closes its pipes, which ends the other.
 */
export class QueueSender {
  readonly #fd: number;
  readonly #acks: number;
  readonly #records: Float64Array = new Float64Array(FIELDS * QUEUE_STATEMENTS);
  readonly #bytes: Uint8Array = new Uint8Array(this.#records.buffer);
  readonly #ack: Uint8Array = new Uint8Array(QUEUE_STATEMENTS);
  #outstanding = 0;
  #pending = 0;

  constructor(fd: number, acks: number) {
    this.#fd = fd;
    this.#acks = acks;
  }

  /** Waits until there is room: for how many statements; 0 when the worker has gone. */
  waitForRoom(): number {
    while (this.#outstanding >= QUEUE_STATEMENTS) {
      const n = readBlocking(this.#acks, this.#ack, QUEUE_STATEMENTS);
      if (n === 0) return 0;
      this.#outstanding -= n;
    }
    return QUEUE_STATEMENTS - this.#outstanding;
  }

  /** Adds a statement to those that the next flush sends; there must be room for it. */
  put(k: number, rows: number, dueNs: number): void {
    const at = FIELDS * this.#pending++;
    this.#records[at + RECORD.k] = k;
    this.#records[at + RECORD.rows] = rows;
    this.#records[at + RECORD.dueNs] = dueNs;
    this.#outstanding++;
  }

  /** Sends what was put; false when the worker has gone. */
  flush(): boolean {
    const bytes = this.#bytes.subarray(0, RECORD_BYTES * this.#pending);
    this.#pending = 0;
    return bytes.length === 0 || writeBlocking(this.#fd, bytes);
  }
}

/** The worker's end of the queue. */
export class QueueReceiver {
  readonly #fd: number;
  readonly #acks: number;
  readonly #records: Float64Array = new Float64Array(FIELDS * QUEUE_STATEMENTS);
  readonly #bytes: Uint8Array = new Uint8Array(this.#records.buffer);
  readonly #ack: Uint8Array = new Uint8Array(ACK_STATEMENTS);
  #received = 0;
  #next = 0;
  #at = 0;
  #finished = 0;

  constructor(fd: number, acks: number) {
    this.#fd = fd;
    this.#acks = acks;
  }

  /** Takes the next statement, waiting for it; false at the end of the queue. */
  take(): boolean {
    if (this.#next === this.#received && !this.#receive()) return false;
    this.#at = FIELDS * this.#next++;
    return true;
  }

  /** Number of the statement last taken. */
  get k(): number {
    return this.#records[this.#at + RECORD.k] as number;
  }

  /** Rows of the statement last taken. */
  get rows(): number {
    return this.#records[this.#at + RECORD.rows] as number;
  }

  /** When the statement last taken is due, CLOCK_MONOTONIC ns; 0: at once. */
  get dueNs(): number {
    return this.#records[this.#at + RECORD.dueNs] as number;
  }

  /**
   * Tells the pacer, now or together with the next ones, that the statement last taken is finished. With
   * fewer than half a queue untold the pacer still has room, so nobody waits for what is held back.
   */
  finished(): void {
    if (++this.#finished < ACK_STATEMENTS) return;
    writeBlocking(this.#acks, this.#ack);
    this.#finished = 0;
  }

  /** A group is written at once and is far below what a pipe splits, but a read may end within a record. */
  #receive(): boolean {
    let got = 0;
    do {
      const rest = got === 0 ? this.#bytes : this.#bytes.subarray(got);
      const n = readBlocking(this.#fd, rest, rest.length);
      if (n === 0) return false;
      got += n;
    } while (got % RECORD_BYTES !== 0);
    this.#received = got / RECORD_BYTES;
    this.#next = 0;
    return true;
  }
}
