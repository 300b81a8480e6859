import { QUEUE_STATEMENTS, RECORD, RECORD_BYTES } from '@ibench/core/worker';
import { readBlocking, writeBlocking } from './posix.ts';

/**
 * The bounded queue between the pacer and a worker: records travel in one pipe, one byte for each
 * finished statement comes back in another. The sender never has more than QUEUE_STATEMENTS records
 * out that are not finished, so the bound counts the one being executed too. Either side that dies
 * closes its pipes, which ends the other.
 */
export class QueueSender {
  readonly #fd: number;
  readonly #acks: number;
  readonly #record: Float64Array = new Float64Array(RECORD_BYTES / 8);
  readonly #bytes: Uint8Array = new Uint8Array(this.#record.buffer);
  readonly #ack: Uint8Array = new Uint8Array(QUEUE_STATEMENTS);
  #outstanding = 0;

  constructor(fd: number, acks: number) {
    this.#fd = fd;
    this.#acks = acks;
  }

  /** Waits until there is room; false when the worker has gone. */
  waitForRoom(): boolean {
    while (this.#outstanding >= QUEUE_STATEMENTS) {
      const n = readBlocking(this.#acks, this.#ack, QUEUE_STATEMENTS);
      if (n === 0) return false;
      this.#outstanding -= n;
    }
    return true;
  }

  /** Puts one statement into the queue; false when the worker has gone. */
  put(k: number, rows: number, dueNs: number): boolean {
    this.#record[RECORD.k] = k;
    this.#record[RECORD.rows] = rows;
    this.#record[RECORD.dueNs] = dueNs;
    this.#outstanding++;
    return writeBlocking(this.#fd, this.#bytes);
  }
}

/** The worker's end of the queue. */
export class QueueReceiver {
  readonly #fd: number;
  readonly #acks: number;
  readonly #record: Float64Array = new Float64Array(RECORD_BYTES / 8);
  readonly #bytes: Uint8Array = new Uint8Array(this.#record.buffer);
  readonly #ack: Uint8Array = new Uint8Array(1);

  constructor(fd: number, acks: number) {
    this.#fd = fd;
    this.#acks = acks;
  }

  /** Waits for the next statement; false at the end of the queue. */
  take(): boolean {
    let got = 0;
    while (got < RECORD_BYTES) {
      const n = readBlocking(
        this.#fd,
        got === 0 ? this.#bytes : this.#bytes.subarray(got),
        RECORD_BYTES - got,
      );
      if (n === 0) return false;
      got += n;
    }
    return true;
  }

  /** Number of the statement last taken. */
  get k(): number {
    return this.#record[RECORD.k] as number;
  }

  /** Rows of the statement last taken. */
  get rows(): number {
    return this.#record[RECORD.rows] as number;
  }

  /** When the statement last taken is due, CLOCK_MONOTONIC ns; 0: at once. */
  get dueNs(): number {
    return this.#record[RECORD.dueNs] as number;
  }

  /** Tells the pacer that the statement last taken is finished. */
  finished(): void {
    writeBlocking(this.#acks, this.#ack);
  }
}
