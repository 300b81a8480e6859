import fs from 'node:fs';
import { BLOCK_BYTES, type BlockView, blockOffset, CONTROL, viewBlock } from '@ibench/core';
import { createMemoryFile } from '../posix.ts';

/** The runner's hand on the memory it shares with the workers of one step; see core/load/block.ts. */
export class StepMemoryFile {
  readonly fd: number;
  readonly #copy: ArrayBuffer = new ArrayBuffer(BLOCK_BYTES);

  /** @param workers how many blocks there are */
  constructor(workers: number) {
    this.fd = createMemoryFile('ibench-step');
    fs.ftruncateSync(this.fd, blockOffset(workers));
  }

  /** Tells all workers to finish the statement they are at and end. */
  stop(): void {
    const flag = new Int32Array([1]);
    fs.writeSync(this.fd, new Uint8Array(flag.buffer), 0, 4, CONTROL.stop);
  }

  /** A copy of a worker's counters as they are now; valid until the next call. */
  read(index: number): BlockView {
    fs.readSync(this.fd, new Uint8Array(this.#copy), 0, BLOCK_BYTES, blockOffset(index));
    return viewBlock(this.#copy);
  }

  /** The deleter's guess of the smallest id for a client (from 1); 0: there is none yet. */
  guess(client: number): number {
    const value = new Float64Array(1);
    const offset = CONTROL.guesses + 8 * (client - 1);
    fs.readSync(this.fd, new Uint8Array(value.buffer), 0, 8, offset);
    return value[0] as number;
  }

  close(): void {
    fs.closeSync(this.fd);
  }
}
