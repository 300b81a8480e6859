import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Build } from '../src/builds/build.ts';
import { findBuild } from '../src/builds/find-build.ts';
import { checkConfigOnBuild } from '../src/config/check-config.ts';
import { type ClusterOptions, createCluster, writeConfiguration } from '../src/postgres/cluster.ts';
import { startServer } from '../src/postgres/server.ts';
import { configOf, makeDirectory, SMALL, USER } from './server-support.ts';

/** Settings that the embedded server refuses at its start, with its own words. */
const REFUSED: readonly [string, RegExp][] = [
  ['superuser_reserved_connections = 20', /must be less than "max_connections" \(20\)/],
  ['reserved_connections = 17', /must be less than "max_connections" \(20\)/],
  ['wal_level = minimal', /WAL streaming .* requires "wal_level"/],
  ['wal_level = minimal\nmax_wal_senders = 0\narchive_mode = on', /WAL archival cannot be enabled/],
  ['wal_level = minimal\nmax_wal_senders = 0\nsummarize_wal = on', /WAL cannot be summarized/],
  ['min_wal_size = 31MB', /"min_wal_size" must be at least twice "wal_segment_size"/],
  ['max_wal_size = 31MB', /"max_wal_size" must be at least twice "wal_segment_size"/],
  ['huge_pages = on\nshared_memory_type = sysv', /huge pages not supported with the current/],
  ['ssl = on', /could not load server certificate file "server\.crt"/],
  ['max_connections = 262108', /too many server processes configured/],
];

/** Settings that it starts with, and does not do. */
const WITHOUT_EFFECT: readonly [string, RegExp][] = [
  ['autovacuum_max_workers = 17', /will only start up to "autovacuum_worker_slots" \(16\)/],
  ['track_counts = off', /autovacuum not started because of misconfiguration/],
];

/** As near to the conflicts as a server starts with. */
const KEPT = `superuser_reserved_connections = 10
reserved_connections = 9
wal_level = minimal
max_wal_senders = 0
min_wal_size = 32MB
max_wal_size = 32MB
autovacuum_max_workers = 16
`;

async function makeCluster(t: TestContext, build: Build): Promise<ClusterOptions> {
  const socketDirectory = makeDirectory(t);
  const dataDirectory = path.join(socketDirectory, 'data');
  fs.mkdirSync(dataDirectory, { mode: 0o700 });
  if (USER !== null) {
    for (const one of [socketDirectory, dataDirectory]) fs.chownSync(one, USER.uid, USER.gid);
  }
  const config = configOf(SMALL, build);
  const common = { build, config, user: USER, dataDirectory, socketDirectory };
  const options = { ...common, port: 5432, listen: false };
  await createCluster(options);
  return options;
}

test('the rules of conflicts are those of a real server', async (t) => {
  const build = await findBuild(undefined);
  const cluster = await makeCluster(t, build);
  const logPath = path.join(cluster.socketDirectory, 'server.log');
  const start = (text: string) => {
    const options = { ...cluster, config: configOf(SMALL + text, build) };
    writeConfiguration(options);
    return startServer(options, logPath);
  };
  const check = (text: string) => checkConfigOnBuild(configOf(SMALL + text, build), build);

  for (const [text, words] of REFUSED) {
    await assert.rejects(start(text), words, text);
    await assert.rejects(check(text), /: (with .*, )?the server does not start.*: expected /, text);
  }
  for (const [text, words] of WITHOUT_EFFECT) {
    await (await start(text)).stop(true);
    assert.match(fs.readFileSync(logPath, 'utf8'), words, text);
    await assert.rejects(check(text), /the server starts no .*: expected /, text);
  }
  await (await start(KEPT)).stop(true);
  await check(KEPT);
});
