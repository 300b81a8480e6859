import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from '@ibench/client/connect';
import type { Connect } from '@ibench/core';
import type { OwnServer } from '@ibench/host';
import { startServer } from './support.ts';

let server: OwnServer;
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-test-'));
fs.chmodSync(directory, 0o755);

before(async () => {
  server = await startServer(directory, 'shared_buffers = 64MB\nfsync = off\n');
});
after(async () => {
  await server.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

const MANNERS: Readonly<Record<string, (how: Connect) => Connect>> = {
  libpq: (how) => how,
  'libpq that polls': (how) => (how.driver === 'libpq' ? { ...how, spin: true } : how),
  'postgres.js': ({ conninfo }) => ({ driver: 'postgres.js', conninfo }),
};

for (const [name, manner] of Object.entries(MANNERS)) {
  describe(`${name}: an error that comes after the answer`, () => {
    /** A connection on which statements without parameters are carried out. */
    async function open() {
      const connection = await connect(manner(server.connect('test')));
      let statements = 0;
      const execute = (sql: string, beforeAnswer: () => void = () => {}): number => {
        const statement = connection.prepare(`s${++statements}`, sql, []);
        connection.sendPrepared(statement);
        beforeAnswer();
        return connection.receive();
      };
      return { connection, execute };
    }

    it('is the error of the statement, where its transaction ends', async (t) => {
      const { connection, execute } = await open();
      t.after(() => connection.close());
      execute('create temporary table u (id int unique deferrable initially deferred)');
      execute('insert into u values (1)');
      const again = () => execute('insert into u values (1)');
      assert.throws(again, { name: 'DatabaseError', sqlstate: '23505' });
      assert.equal(execute('select * from u'), 1);
    });

    it('is why the connection is lost, where the server closes it between two statements', async (t) => {
      const { connection, execute } = await open();
      t.after(() => connection.close());
      const idle = "select set_config('idle_session_timeout', '1', false)";
      const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      assert.throws(
        () => {
          assert.equal(execute(idle, wait), 1);
          execute('select 1');
        },
        { name: 'DatabaseError', sqlstate: '57P05', message: /idle-session timeout/ },
      );
    });
  });
}
