import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  configFor,
  connectLibpq,
  extendConfig,
  findBuild,
  readConfig,
  serverUser,
  startPostgres,
  zeroTerminated,
} from './ibench.mjs';

/** The queried table, as l.i0 and l.x make it. */
export const BIG_TABLE = { name: 'pi1', client: 1, rows: 500_000 };
/** The table that inserts go to: only its primary key, emptied before each measurement. */
export const INSERT_TABLE = { name: 'pi2', client: 2 };

/** Beside base.conf: what makes runs differ, or waits for the disk and so hides what the client costs. */
export const SETTINGS = {
  synchronous_commit: 'off',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '16GB',
  min_wal_size: '2GB',
};

const PLAIN = { secondary_indexes: 0, partitions: 0, expectedRows: 1 };

/** Makes the bench's temporary directory, which the server's user may pass through. */
export function makeDirectory(release) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-bench-'));
  release(() => fs.rmSync(directory, { recursive: true, force: true }));
  fs.chmodSync(directory, 0o711);
  return directory;
}

/** Starts the server; both tables are made, and empty. */
export async function openServer(bench, release) {
  const build = await findBuild(undefined);
  const extension = { name: 'bench', settings: SETTINGS, origin: 'bench' };
  const server = await startPostgres({
    build,
    config: await configFor(extendConfig(readConfig('base'), extension), build),
    user: serverUser(undefined),
    runDirectory: bench.directory,
    dataDirectory: path.join(bench.directory, 'data'),
    keepData: false,
    listenPort: null,
    driver: 'libpq',
    library: null,
    spin: false,
    applicationName: 'bench',
    say: bench.say,
  });
  release(() => server.stop());
  bench.signal.throwIfAborted();
  await server.createTables([BIG_TABLE.name, INSERT_TABLE.name], PLAIN);
  return server;
}

/** A connection for the bench's own statements, through the client's driver: each blocks. */
export function openAdmin(server, release) {
  const connection = connectLibpq(server.connect('bench/admin'));
  release(() => connection.close());
  const send = (sql) => {
    const text = zeroTerminated(sql);
    connection.sendText(text, text.bytes.length - 1);
  };
  return {
    run: (sql) => {
      send(sql);
      return connection.receive();
    },
    number: (sql) => {
      send(sql);
      return connection.receiveNumber();
    },
  };
}

/** Indexes, vacuum, checkpoint; afterwards the table is in the cache, since it was just read and written. */
export async function finishBigTable({ server }) {
  const maintenance = await server.openMaintenance('bench/maintenance', () => {});
  try {
    await maintenance.createIndexes(BIG_TABLE.name, { ...PLAIN, secondary_indexes: 3 });
    await maintenance.vacuum(BIG_TABLE.name);
    await maintenance.checkpoint();
  } finally {
    await maintenance.close();
  }
}

/** The same start for every insert: an empty table and no dirty pages. */
export function emptyInsertTable({ admin }) {
  admin.run(`truncate ${INSERT_TABLE.name}`);
  admin.run('checkpoint');
}
