import { allocate, type NativeMemory } from '../posix.ts';

/** SQL as the driver sends it: bytes with a zero behind them. */
export function zeroTerminated(sql: string): NativeMemory {
  const bytes = new TextEncoder().encode(`${sql}\0`);
  const memory = allocate(bytes.length);
  memory.bytes.set(bytes);
  return memory;
}
