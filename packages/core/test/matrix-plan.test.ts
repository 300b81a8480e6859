import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBase } from '../src/matrix/base.ts';
import { checkPlan } from '../src/matrix/check-plan.ts';
import { expandPlan, planCells } from '../src/matrix/expand-plan.ts';
import type { PlanFile } from '../src/matrix/plan-file.ts';
import { parseDuration, parseSize } from '../src/matrix/units.ts';

const MINIMAL = {
  name: 'study',
  builds: ['pg17.9', 'pg18.4'],
  configs: ['base'],
  workloads: ['tiny'],
  repeats: 2,
};

function read(changes: Record<string, unknown> = {}) {
  return checkPlan({ ...MINIMAL, ...changes }, (path) => `/plans/${path.replace(/^\.\//, '')}`);
}

function plan(changes: Record<string, unknown> = {}): PlanFile {
  const { plan, problems } = read(changes);
  assert.deepEqual(problems, []);
  return plan as PlanFile;
}

function tags(changes: Record<string, unknown>): string[] {
  const read = plan(changes);
  return planCells(read, read.excludes).map(({ tag, labels }) => `${tag} ${labels.workload}`);
}

describe('a plan', () => {
  it('needs five keys, and has defaults for the others', () => {
    const minimal = plan();
    assert.deepEqual(minimal.order, { kind: 'interleaved', seed: 1 });
    assert.equal(minimal.budgetSeconds, null);
    assert.equal(minimal.cooldownSeconds, 0);
    assert.equal(minimal.retries, 0);
    assert.equal(minimal.reuse, null);
    assert.deepEqual(minimal.host, {
      maxLoad: null,
      minFreeDisk: null,
      allowOtherPostgres: false,
      waitSeconds: 120,
      whenBusy: 'warn',
    });
    assert.equal(minimal.run.driver, 'libpq');
    assert.equal(expandPlan(minimal).length, 4);
  });

  it('reads durations, sizes, order, reuse and options of runs', () => {
    const full = plan({
      order: { kind: 'shuffled', seed: 7 },
      budget: '1h30m',
      cooldown: '30s',
      retries: 1,
      reuse: 'after l.x',
      host: { max_load: 0.5, min_free_disk: '20GB', allow_other_postgres: true },
      run: { pin: 'same', data_dir: './data', devices: ['nvme0n1'] },
    });
    assert.deepEqual(full.order, { kind: 'shuffled', seed: 7 });
    assert.deepEqual([full.budgetSeconds, full.cooldownSeconds, full.retries], [5400, 30, 1]);
    assert.equal(full.reuse, 'l.x');
    assert.deepEqual(full.host, {
      maxLoad: 0.5,
      minFreeDisk: 20 * 1024 ** 3,
      allowOtherPostgres: true,
      waitSeconds: 120,
      whenBusy: 'warn',
    });
    assert.equal(full.run.dataDir, '/plans/data');
    assert.deepEqual(full.run.devices, ['nvme0n1']);
  });

  it('reads what is to be profiled, with the defaults of `ibench run`', () => {
    assert.equal(plan().run.profile, null);
    const steps = ['l.i0', 'l.i1', 'l.i2', 'qr100', 'qp100', 'qr500', 'qp500', 'qr1000', 'qp1000'];
    assert.deepEqual(plan({ run: { profile: 'perf' } }).run.profile, {
      roles: ['insert', 'delete', 'query'],
      steps,
      seconds: 10,
      frequencyHz: 99,
    });
    const chosen = {
      profile: 'perf',
      profile_roles: ['delete'],
      profile_steps: ['l.i1', 'l.i2'],
      profile_seconds: 30,
      profile_frequency: 199,
    };
    assert.deepEqual(plan({ run: chosen }).run.profile, {
      roles: ['delete'],
      steps: ['l.i1', 'l.i2'],
      seconds: 30,
      frequencyHz: 199,
    });
  });

  it('runs builds next to each other, then configs, then workloads', () => {
    assert.deepEqual(tags({ configs: ['a', 'b'], workloads: ['tiny', 'quick'] }), [
      'pg17.9.a tiny',
      'pg18.4.a tiny',
      'pg17.9.b tiny',
      'pg18.4.b tiny',
      'pg17.9.a quick',
      'pg18.4.a quick',
      'pg17.9.b quick',
      'pg18.4.b quick',
    ]);
  });

  it('takes tags and names of entries, and short ones of paths', () => {
    assert.deepEqual(
      tags({
        builds: [{ build: 'pg17.9', tag: 'old' }, '/usr/lib/postgresql/15', './head/'],
        configs: ['./mine.conf'],
        workloads: [{ workload: 'tiny', set: { clients: 4 }, name: 'four' }],
      }),
      ['old.mine four', 'pg15.mine four', 'head.mine four'],
    );
    const { builds, configs } = plan({ builds: ['./head'], configs: ['./mine.conf'] });
    assert.equal(builds[0]?.build, '/plans/head');
    assert.equal(configs[0]?.config, '/plans/mine.conf');
  });

  it('makes an entry for every choice from lists', () => {
    const { configs, workloads } = plan({
      configs: [
        {
          config: 'base',
          settings: { full_page_writes: [true, false], wal_compression: ['off', 'pglz'] },
        },
      ],
      workloads: [{ workload: 'tiny', set: { clients: [1, 4, 8] } }],
    });
    assert.deepEqual(
      configs.map(({ label }) => label),
      [
        'base,full_page_writes=on,wal_compression=off',
        'base,full_page_writes=on,wal_compression=pglz',
        'base,full_page_writes=off,wal_compression=off',
        'base,full_page_writes=off,wal_compression=pglz',
      ],
    );
    assert.deepEqual(configs[3]?.settings, { full_page_writes: 'off', wal_compression: 'pglz' });
    assert.deepEqual(
      workloads.map(({ label, set }) => [label, set]),
      [1, 4, 8].map((clients) => [`tiny,clients=${clients}`, { clients }]),
    );
  });

  it('names what varies after a tag, and leaves the seed out of a name', () => {
    const { configs, workloads } = plan({
      configs: [
        { config: 'base', tag: 'b', settings: { jit: false, wal_compression: ['off', 'lz4'] } },
      ],
      set: { seed: 7, rows: 20000 },
    });
    assert.deepEqual(
      configs.map(({ label }) => label),
      ['b,wal_compression=off', 'b,wal_compression=lz4'],
    );
    assert.deepEqual(workloads[0]?.set, { seed: 7, rows: 20000 });
    assert.equal(workloads[0]?.label, 'tiny,rows=20000');
  });

  it('lets entries override what is set for all', () => {
    const { configs, workloads } = plan({
      set: { rows: 20000, clients: 2 },
      settings: { jit: 'off' },
      configs: ['base', { config: 'base', settings: { jit: 'on' } }],
      workloads: [{ workload: 'tiny', set: { clients: 1 } }, 'quick'],
    });
    assert.deepEqual(
      workloads.map(({ set }) => set),
      [
        { rows: 20000, clients: 1 },
        { rows: 20000, clients: 2 },
      ],
    );
    assert.deepEqual(
      configs.map(({ settings }) => settings),
      [{ jit: 'off' }, { jit: 'on' }],
    );
  });

  it('leaves excluded cells out', () => {
    assert.deepEqual(
      tags({
        configs: ['a', 'b'],
        excludes: [{ build: 'pg17.9', config: 'b' }],
      }),
      ['pg17.9.a tiny', 'pg18.4.a tiny', 'pg18.4.b tiny'],
    );
    assert.deepEqual(
      tags({
        builds: ['a', 'b', 'c'],
        configs: ['x', { config: 'x', settings: { jit: ['on', 'off'] } }],
        excludes: [{ build: ['a', 'b'] }, { config: 'x,jit=on' }],
      }),
      ['c.x tiny', 'c.x,jit=off tiny'],
    );
  });

  it('takes a build, a config or a tag as base', () => {
    const bases = ['pg17.9', 'base', 'pg18.4.base'].map((base) => {
      const read = plan({ configs: ['base', 'a16'], base });
      return planCells(read, [])
        .filter((cell) => isBase(cell, read.base!))
        .map(({ tag }) => tag);
    });
    assert.deepEqual(bases, [
      ['pg17.9.base', 'pg17.9.a16'],
      ['pg17.9.base', 'pg18.4.base'],
      ['pg18.4.base'],
    ]);
  });

  it('tells all problems at once, with the path of each', () => {
    const { plan, problems, axes } = read({
      reppeats: 3,
      repeats: 0,
      builds: ['pg17.9', { build: 'pg18.4', tga: 'x' }],
      budget: '6 hours',
      host: { max_laod: 1 },
    });
    assert.equal(plan, null);
    assert.deepEqual(problems.map(({ path, at }) => `${path.join('.')} ${at}`).sort(), [
      'budget value',
      'builds.1.tga key',
      'host.max_laod key',
      'repeats value',
      'reppeats key',
    ]);
    assert.deepEqual(
      axes.builds.map(({ label }) => label),
      ['pg17.9'],
    );
  });
});

describe('units', () => {
  it('reads durations', () => {
    const cases = {
      '30s': 30,
      '90m': 5400,
      '90min': 5400,
      '6h': 21600,
      '2d': 172800,
      '1h30m': 5400,
      '1.5h': 5400,
    };
    for (const [text, seconds] of Object.entries(cases)) assert.equal(parseDuration(text), seconds);
    for (const text of ['', '30', '-3s', '3 hours', 's', '30m1h', '1h1h', '1e3s']) {
      assert.equal(parseDuration(text), null, text);
    }
  });

  it('reads sizes', () => {
    const cases = {
      '8kB': 8192,
      '512MB': 512 * 1024 ** 2,
      '1.5 GB': 1.5 * 1024 ** 3,
      '2TB': 2 * 1024 ** 4,
    };
    for (const [text, bytes] of Object.entries(cases)) assert.equal(parseSize(text), bytes);
    for (const text of ['', '20', '20gb', '20G', '-1GB', 'GB'])
      assert.equal(parseSize(text), null, text);
  });
});
