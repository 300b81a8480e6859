import path from 'node:path';
import { closeStore, openStore, type Store } from '@ibench/store';
import { humanTerminal } from '../environment.ts';
import { STORE_NAME } from '../paths.ts';

/** Opens the store of the options read-only, and closes it when the work is done, however it ends. */
export async function withStore(
  { db, runsDir }: { readonly db: string | undefined; readonly runsDir: string },
  work: (store: Store) => Promise<void>,
): Promise<void> {
  const terminal = humanTerminal();
  const store = openStore(path.resolve(db ?? path.join(runsDir, STORE_NAME)), {
    readonly: true,
    say: (text) => terminal.write(`${text}\n`),
  });
  try {
    await work(store);
  } finally {
    closeStore(store);
  }
}
