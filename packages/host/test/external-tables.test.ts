import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresDialect, UsageError } from '@ibench/core';
import { type Admin, run } from '../src/postgres/admin.ts';
import { inspectExternalServer } from '../src/postgres/external-server.ts';
import { readIndexes } from '../src/postgres/indexes.ts';
import { createIndexes } from '../src/postgres/maintenance.ts';
import {
  dropMarkedTables,
  findTablesToDrop,
  makeMarkedTables,
} from '../src/postgres/marked-tables.ts';
import { startTestServer } from './external-support.ts';

const OPTIONS = { partitions: 3, secondary_indexes: 3, expectedRows: 300 };
const RUN = '20261130-163933-53c2';
const OTHER_RUN = '20261130-163934-0000';

function wanted(dropForeign = false) {
  return { tables: ['pi1', 'pi2'], options: OPTIONS, dropForeign };
}

async function relations(admin: Admin): Promise<string[]> {
  const rows = await run(
    admin,
    `select relname from pg_class where relnamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') order by 1`,
    'asking',
  );
  return rows.map(({ relname }) => relname as string);
}

test('the tables of a run, and what is in their way', async (t) => {
  const { admin, access } = await startTestServer(t);
  const refused = async (message: RegExp, dropForeign = false): Promise<void> => {
    const before = await relations(admin);
    const isRefusal = (error: Error) => error instanceof UsageError && message.test(error.message);
    await assert.rejects(findTablesToDrop(admin, wanted(dropForeign)), isRefusal);
    await assert.rejects(makeMarkedTables(admin, wanted(dropForeign), RUN), isRefusal);
    assert.deepEqual(await relations(admin), before);
  };

  await t.test('a run with more connections than are left is refused beforehand', async () => {
    const inspect = (connections: number) => inspectExternalServer(access, wanted(), connections);
    assert.match(await inspect(97), /^\d+\.\d+/);
    await assert.rejects(inspect(98), {
      name: 'UsageError',
      message: /needs 98 connections, .* has room for 97: .* raise its max_connections by 1$/,
    });
  });

  await t.test(
    'the indexes are told by table, those of partitions where they are not its own',
    async () => {
      await makeMarkedTables(admin, wanted(), RUN);
      await createIndexes(admin, 'pi2', OPTIONS);
      const names = async () =>
        (await readIndexes(admin, ['pi1', 'pi2'])).map(
          ({ name, isPrimary, isUsable }) => `${name} ${isPrimary} ${isUsable}`,
        );
      const kept = ['pi1_pkey true true', 'pi2_marketsegment false true', 'pi2_pdc false true'];
      kept.push('pi2_pkey true true', 'pi2_registersegment false true');
      assert.deepEqual(await names(), kept);
      await run(admin, 'create index odd on pi1_p2 (price)', 'adding');
      await run(
        admin,
        `update pg_index set indisvalid = false where indexrelid = 'pi2_pdc'::regclass`,
        'spoiling',
      );
      const spoilt = kept.map((one) => one.replace('pi2_pdc false true', 'pi2_pdc false false'));
      assert.deepEqual(await names(), ['odd false true', ...spoilt]);
      await run(admin, 'drop table pi1, pi2', 'dropping');
    },
  );

  await t.test('all that is made has a name that is looked for', async () => {
    await makeMarkedTables(admin, wanted(), RUN);
    await createIndexes(admin, 'pi1', OPTIONS);
    await createIndexes(admin, 'pi2', OPTIONS);
    const names = ['pi1', 'pi2'].flatMap((table) => postgresDialect.relationNames(table, OPTIONS));
    const made = await relations(admin);
    assert.deepEqual(
      names.filter((name) => !made.includes(name)),
      [],
    );
    // Of the rest Postgres chooses names that are free.
    assert.deepEqual(
      made.filter((name) => !names.includes(name) && !/_(pkey|idx)\d*$/.test(name)),
      [],
    );
  });

  await t.test('tables of another run are replaced, with all that belongs to them', async () => {
    assert.deepEqual(await findTablesToDrop(admin, wanted()), ['pi1', 'pi2']);
    await run(admin, 'insert into pi2 values (1, null, 1, 1, 1, 1)', 'filling pi2');
    await makeMarkedTables(admin, wanted(), OTHER_RUN);
    const [row] = await run(admin, 'select count(*)::int as n from pi2', 'counting');
    assert.equal(row?.n, 0);
  });

  await t.test('a run drops its own tables and no others', async () => {
    await dropMarkedTables(admin, RUN);
    assert.ok((await relations(admin)).includes('pi1'));
    await dropMarkedTables(admin, OTHER_RUN);
    assert.deepEqual(await relations(admin), []);
  });

  await t.test('a foreign table is refused until it may be dropped', async () => {
    await run(admin, 'create table pi2 (precious int)', 'creating pi2');
    await run(admin, `comment on table pi2 is 'ibench is great'`, 'commenting');
    await refused(/^the table pi2 in database ib was not made by ibench .*--drop-tables$/);
    await makeMarkedTables(admin, wanted(true), RUN);
    await dropMarkedTables(admin, RUN);
  });

  await t.test('an index of ours on a foreign table is not reason to drop that table', async () => {
    await run(admin, 'create table customers (id int)', 'creating');
    await run(admin, 'create index pi1_pdc on customers (id)', 'creating');
    const message = /^the index pi1_pdc in database ib has a name that a run needs, and is not for/;
    await refused(message);
    await refused(message, true);
    await run(admin, 'drop table customers', 'dropping');
  });

  await t.test('neither is a view dropped, nor a table that something depends on', async () => {
    await run(admin, 'create view pi1 as select 1 as one', 'creating');
    await refused(/^the view pi1 in database ib has a name that a run needs/, true);
    await run(admin, 'drop view pi1; create table pi1 (i int)', 'creating');
    await run(admin, 'create view dependent as select * from pi1', 'creating');
    await assert.rejects(
      makeMarkedTables(admin, wanted(true), RUN),
      /dropping pi1 failed \(2BP01\): cannot drop table pi1 because other objects depend on it/,
    );
    assert.deepEqual(await relations(admin), ['dependent', 'pi1']);
  });
});
