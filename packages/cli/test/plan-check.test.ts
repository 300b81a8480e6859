import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

function check(t: TestContext, plan: string, ...args: readonly string[]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-plan-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'plan.yaml');
  fs.writeFileSync(file, plan);
  const command = [CLI, 'plan', 'check', file, '--runs-dir', path.join(folder, 'runs'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stdout, stderr, file };
}

const PLAN = `name: study
builds: [{ build: embedded, tag: new }]
configs: [base, { config: base, tag: nofpw, settings: { full_page_writes: false } }]
workloads: [{ workload: tiny, set: { clients: [1, 2] } }]
repeats: 2
base: base
budget: 1h
`;

describe('ibench plan check', () => {
  it('prints the cells, the order and what the plan takes, and starts nothing', (t) => {
    const { status, stdout, stderr, file } = check(t, PLAN);
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    assert.match(stdout, /^Plan study\n4 cells × 2 repeats = 8 runs/);
    assert.match(stdout, /new\.nofpw +tiny,clients=2 +pg[\d.]+ +base,full_page_writes=off +2/);
    assert.match(stdout, /\* base: config base\n/);
    assert.match(stdout, /\* disk: [\d.]+ GB for the largest run; [\d.]+ [MGT]B free in /);
    assert.match(stdout, /\* budget: 60 min, enough for 8 of 8 runs/);
    const order = stdout.slice(stdout.indexOf('Order of the runs')).match(/^ *\d+ +new\S+/gm);
    const tags = order?.map((line) => line.trim().split(/ +/)[1]) ?? [];
    assert.deepEqual(tags, [...tags].reverse());
    assert.equal(tags.length, 8);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), ['plan.yaml']);
  });

  it('prints JSON for other programs', (t) => {
    const { status, stdout } = check(t, PLAN, '--format', 'json');
    assert.equal(status, 0);
    const [cells, order] = JSON.parse(stdout);
    assert.equal(cells.rows.length, 4);
    assert.equal(order.rows.length, 8);
    const { tag, disk_bytes, seconds, time_from } = cells.rows[0].values;
    assert.deepEqual([tag, time_from], ['new.base', 'assumed rates']);
    assert.ok(disk_bytes > 1e9 && seconds > 20);
  });

  it('refuses a bad plan with exit code 2 and nothing on standard output', (t) => {
    const { status, stdout, stderr, file } = check(
      t,
      PLAN.replace('base: base', 'base: bsae').replace('repeats: 2', 'repeats: none'),
    );
    assert.equal(status, 2);
    assert.equal(stdout, '');
    const lines = stderr.trimEnd().split('\n');
    assert.equal(lines[0], `ibench: ${file}: 2 problems`);
    assert.ok(lines[1]?.startsWith(`${file}:5:10: repeats: expected a whole number`), stderr);
    assert.ok(lines[2]?.startsWith(`${file}:6:7: base: no build, config or tag "bsae"`), stderr);
  });

  it('refuses more clients than the configuration has connections for', (t) => {
    const { status, stderr, file } = check(t, PLAN.replace('[1, 2]', '[1, 80]'));
    assert.equal(status, 2);
    assert.match(
      stderr.replaceAll(file, 'F'),
      /F:4:13: workloads\[0\]: workload tiny,clients=80 needs 24\d connections, config base has max_connections = 200/,
    );
  });

  it('refuses data that the disk has no room for', (t) => {
    const plan = PLAN.replace('clients: [1, 2]', 'rows: 9000000000000');
    const { status, stderr } = check(t, plan);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /the data of the largest run has [\d.]+ TB after l\.x, in .* free: expected/,
    );
  });

  it('tells what a plan of its size has no use for, and disk that is to stay free', (t) => {
    const one = PLAN.replace('[1, 2]', '1').replace('repeats: 2', 'repeats: 1');
    const idle = 'cooldown: 10s\nreuse: after l.x\nhost: { min_free_disk: 1GB }\n';
    const { stdout, stderr } = check(t, `${one.replace(/, \{ config: base.*\}/, '')}${idle}`);
    assert.equal(stderr, '');
    const told = stdout.match(/\* (\w+)(?= is not used)/g);
    assert.deepEqual(told, ['* cooldown', '* reuse', '* base']);
    assert.match(stdout, /for the largest run.*, 1\.0 GB to stay free \(host\.min_free_disk\); /);
    assert.doesNotMatch(check(t, `${PLAN}${idle}`).stdout, /is not used/);
  });
});
