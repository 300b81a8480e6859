import type { MessagePort } from 'node:worker_threads';

/** A value of a parameter as postgres.js takes it. */
export type JsValue = number | string;

/** What the worker asks of its thread; each is answered once, in turn. Connecting is answered unasked, first. */
export type Request =
  | { readonly type: 'text'; readonly sql: string }
  /** `oids`: types of the parameters. Statements are numbered from 0 in the order they are prepared. */
  | { readonly type: 'prepare'; readonly sql: string; readonly oids: readonly number[] }
  | { readonly type: 'execute'; readonly statement: number; readonly values: readonly JsValue[] }
  | { readonly type: 'close' };

/** What the thread answers. */
export type Answer =
  | {
      readonly type: 'rows';
      /** Rows changed or returned. */
      readonly rows: number;
      /** First column of the first row, if that is a number. On connecting: the backend's pid. */
      readonly first: number | null;
    }
  | { readonly type: 'error'; readonly sqlstate: string | null; readonly message: string };

/** What the thread starts with. */
export interface ThreadData {
  readonly port: MessagePort;
  /** One number: how many answers have been put into the port. */
  readonly answers: Int32Array;
  /** Parts of the connection string by name. */
  readonly conninfo: ReadonlyMap<string, string>;
}
