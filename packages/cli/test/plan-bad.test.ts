import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkPlan, UsageError } from '@ibench/core';
import { loadPlan } from '../src/plan/load-plan.ts';
import { readPlanSource } from '../src/plan/plan-source.ts';

/** A plan without problems; every case changes it. */
const GOOD = `name: study
builds: [embedded]
configs: [base]
workloads: [tiny]
repeats: 2
`;

let folder = '';
/** No builds are registered here. */
let builds = '';
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-plan-'));
  builds = path.join(folder, 'builds');
});
after(() => fs.rmSync(folder, { recursive: true }));

const found = (allowExec: boolean) => ({
  buildsDirectory: builds,
  runsDirectory: folder,
  allowExec,
});

/** @param isFound whether what it names is looked for, which takes longer */
async function problemsOf(text: string, isFound: boolean): Promise<string> {
  const file = path.join(folder, 'plan.yaml');
  fs.writeFileSync(file, text);
  try {
    if (isFound) await loadPlan(file, found(false));
    else {
      const source = readPlanSource(file);
      throw source.error(checkPlan(source.value, path.resolve).problems);
    }
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message.replaceAll(`${file}:`, '@');
  }
  throw new Error(`no problem was found in\n${text}`);
}

interface BadPlan {
  readonly kind: string;
  readonly text: string;
  /** Only seen when what the plan names is looked for. */
  readonly isFound?: true;
  /** `@line:column: message`, with the beginning or all of the message. */
  readonly expected: readonly string[];
}

/** The good plan with one key changed, or with lines at its end. */
function change(line: string): string {
  const key = line.split(':')[0] as string;
  const changed = new RegExp(`^${key}:.*$`, 'm');
  return changed.test(GOOD) ? GOOD.replace(changed, line) : `${GOOD}${line}\n`;
}

const BAD: readonly BadPlan[] = [
  {
    kind: 'an unknown key',
    text: change('repeets: 3'),
    expected: ['@6:1: unknown key "repeets", did you mean "repeats"?'],
  },
  {
    kind: 'an unknown key of an entry',
    text: change('builds: [{ build: embedded, tga: x }]'),
    expected: ['@2:29: unknown key "tga", did you mean "tag"?'],
  },
  {
    kind: 'a number as a build',
    text: change('builds: [17.10]'),
    expected: ['@2:10: builds[0].build: expected a name; a number must be in quotes'],
  },
  {
    kind: 'something else than a setting',
    text: change('settings: { "shared buffers": 1GB }'),
    expected: ['@6:13: expected the name of a setting, got "shared buffers"'],
  },
  {
    kind: 'an unknown workload parameter',
    text: change('set: { clinets: 4 }'),
    expected: ['@6:8: unknown workload parameter "clinets", did you mean "clients"?'],
  },
  {
    kind: 'a workload parameter out of range',
    text: change('workloads: [{ workload: tiny, set: { clients: [1, -4] } }]'),
    expected: ['@4:51: workloads[0].set.clients[1]: clients: '],
  },
  {
    kind: 'a negative number',
    text: change('repeats: -1'),
    expected: ['@5:10: repeats: expected a whole number from 1 to 1000, got -1'],
  },
  {
    kind: 'no repeats',
    text: change('repeats: 0'),
    expected: ['@5:10: repeats: expected a whole number from 1 to 1000, got 0'],
  },
  {
    kind: 'a fraction',
    text: change('repeats: 1.5'),
    expected: ['@5:10: repeats: expected a whole number from 1 to 1000, got 1.5'],
  },
  {
    kind: 'a text in place of a number',
    text: change('repeats: two'),
    expected: ['@5:10: repeats: expected a whole number from 1 to 1000, got "two"'],
  },
  {
    kind: 'a name with blanks',
    text: change('name: my study'),
    expected: ['@1:7: name: expected 1 to 80 letters, digits and . _ -'],
  },
  {
    kind: 'a missing key',
    text: GOOD.replace(/^repeats.*\n/m, ''),
    expected: ['@1:1: missing key "repeats": expected a whole number'],
  },
  {
    kind: 'a missing axis',
    text: GOOD.replace(/^configs.*\n/m, ''),
    expected: ['@1:1: missing key "configs": expected a list of configurations'],
  },
  {
    kind: 'an entry without its name',
    text: change('builds: [{ tag: old }]'),
    expected: ['@2:10: builds[0]: missing key "build": expected a name'],
  },
  {
    kind: 'an empty axis',
    text: change('builds: []'),
    expected: ['@2:9: builds: expected a list of at least one, got an empty list'],
  },
  {
    kind: 'an axis that is no list',
    text: change('builds: embedded'),
    expected: ['@2:9: builds: expected a list of at least one, got "embedded"'],
  },
  {
    kind: 'an entry twice',
    text: change('configs: [base, base]'),
    expected: ['@3:17: configs[1]: duplicate "base" in configs: entry 1 is called so already'],
  },
  {
    kind: 'a tag twice',
    text: change('configs: [base, { config: base, tag: base, settings: { jit: on } }]'),
    expected: ['@3:17: configs[1]: duplicate "base" in configs'],
  },
  {
    kind: 'cells with the same tag',
    text: change('builds: [{ build: embedded, tag: a.b }, { build: embedded, tag: a }]').replace(
      'configs: [base]',
      'configs: [{ config: base, tag: c }, { config: base, tag: b.c, settings: { jit: on } }]',
    ),
    expected: ['@2:9: builds: duplicate tag "a.b.c"'],
  },
  {
    kind: 'an exclude that matches nothing',
    text: change('excludes: [{ build: embeded }]'),
    expected: [
      '@6:21: excludes[0].build: excludes no cell: no build "embeded" in this plan, did you mean "embedded"?',
    ],
  },
  {
    kind: 'excludes that leave nothing',
    text: change('excludes: [{ config: base }]'),
    expected: ['@6:11: excludes: excludes leave none of 1 cells: expected at least one'],
  },
  {
    kind: 'a base that is not in the plan',
    text: change('base: bsae'),
    expected: ['@6:7: base: no build, config or tag "bsae" in this plan, did you mean "base"?'],
  },
  {
    kind: 'an unknown order',
    text: change('order: random'),
    expected: ['@6:8: order.kind: expected interleaved, sequential, shuffled, got "random"'],
  },
  {
    kind: 'a duration without unit',
    text: change('cooldown: 30'),
    expected: [
      '@6:11: cooldown: expected a duration with its unit, such as 30s, 90m, 6h or 1h30m, got 30',
    ],
  },
  {
    kind: 'a budget of no time',
    text: change('budget: 0h'),
    expected: ['@6:9: budget: expected a duration above zero'],
  },
  {
    kind: 'a size with an unknown unit',
    text: change('host: { min_free_disk: 20 gigs }'),
    expected: ['@6:24: host.min_free_disk: expected a size with its unit'],
  },
  {
    kind: 'too many retries',
    text: change('retries: 2'),
    expected: ['@6:10: retries: expected 0 or 1, got 2'],
  },
  {
    kind: 'an unknown step in reuse',
    text: change('reuse: after l.y'),
    expected: [
      '@6:8: reuse: expected "after l.x" or "after l.i2": unknown step "l.y", did you mean "l.x"?',
    ],
  },
  {
    kind: 'a step in reuse that is no branch point',
    text: change('reuse: after qr100'),
    expected: [
      '@6:8: reuse: expected "after l.x" or "after l.i2": runs cannot start from the data after qr100',
    ],
  },
  {
    kind: 'an unknown driver',
    text: change('run: { driver: odbc }'),
    expected: ['@6:16: run.driver: expected libpq or postgres.js, got "odbc"'],
  },
  {
    kind: 'an unknown profiler',
    text: change('run: { profile: gprof }'),
    expected: ['@6:17: run.profile: expected perf, got "gprof"'],
  },
  {
    kind: 'things that cannot be profiled',
    text: change(
      'run: { profile: perf, profile_roles: insert, profile_steps: [l.i1, l.x], profile_seconds: 0, profile_frequency: 99.5 }',
    ),
    expected: [
      '@6:38: run.profile_roles: expected a list of some of insert, delete, query, got "insert"',
      '@6:68: run.profile_steps[1]: expected a list of some of l.i0, l.i1, l.i2, qr100',
      '@6:91: run.profile_seconds: expected from 1 to 600 seconds, got 0',
      '@6:113: run.profile_frequency: expected a whole number from 1 to 999, got 99.5',
    ],
  },
  {
    kind: 'how to profile, but not that it is to be done',
    text: change('run: { profile_steps: [l.i1] }'),
    expected: ['@6:8: profile_steps without a profile: expected "profile: perf" too'],
  },
  {
    kind: 'roles and steps of a profile that do not meet',
    text: change('run: { profile: perf, profile_roles: [query, delete], profile_steps: [l.i0] }'),
    expected: [
      '@6:39: run.profile_roles[0]: there is no query in l.i0',
      '@6:46: run.profile_roles[1]: there is no delete in l.i0',
      '@6:71: run.profile_steps[0]: there is no query, no delete in l.i0',
    ],
  },
  {
    kind: 'a seed for an order that is not shuffled',
    text: change('order: { kind: interleaved, seed: 1 }'),
    expected: ['@6:29: seed without "kind: shuffled"'],
  },
  {
    kind: 'a seed for an order that is not known',
    text: change('order: { kind: shufled, seed: 1 }'),
    expected: ['@6:16: order.kind: expected interleaved, sequential, shuffled, got "shufled"'],
  },
  {
    kind: 'values for all of an axis that each entry has its own for',
    text: change('set: { rows: 30000, clients: 2 }')
      .replace('[tiny]', '[{ workload: tiny, set: { clients: [1, 4] } }]')
      .replace('[base]', '[{ config: base, settings: { jit: on } }]')
      .concat('settings: { jit: off, work_mem: 1MB }\n'),
    expected: [
      '@6:21: clients is set by every one of the workloads itself',
      '@7:13: jit is set by every one of the configs itself',
    ],
  },
  {
    kind: 'parameters that no workload has a use for',
    isFound: true,
    text: change('set: { deletes: false, prepared_deletes: true, copy_format: text }'),
    expected: [
      '@4:13: workloads[0]: copy_format is set and not used: expected "insert_method: copy" too',
      '@4:13: workloads[0]: prepared_deletes is set and not used: expected "deletes: true" too',
    ],
  },
  {
    kind: 'more free space than the disk has in all',
    isFound: true,
    text: change('host: { min_free_disk: 900000TB }'),
    expected: ['@6:24: host.min_free_disk: 900000.0 TB are never free'],
  },
  {
    kind: 'too many runs',
    text: change('set: { seed: 1 }')
      .replace('repeats: 2', 'repeats: 1000')
      .replace(
        'configs: [base]',
        `configs: [{ config: base, settings: { work_mem: [${Array.from({ length: 11 }, (_, i) => `${i + 1}MB`).join(', ')}] } }]`,
      ),
    expected: ['@5:10: repeats: 11 cells and 1000 repeats are 11000 runs: expected at most 10000'],
  },
  {
    kind: 'a YAML error',
    text: GOOD.replace('[embedded]', '[embedded'),
    expected: ['@3:1: not YAML: '],
  },
  {
    kind: 'a key twice',
    text: `${GOOD}repeats: 3\n`,
    expected: ['@6:1: the key repeats is there twice: expected once'],
  },
  {
    kind: 'aliases that explode',
    text: `${GOOD}a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n`,
    expected: ['@7:8: not usable YAML: Excessive alias count'],
  },
  {
    kind: 'an alias to nothing',
    text: change('builds: *nothing'),
    expected: ['@2:9: not usable YAML: Unresolved alias'],
  },
  {
    kind: 'builds, configurations and workloads that are not there or not right',
    isFound: true,
    text: [
      'name: study',
      'builds: [pg99.1, ./nowhere]',
      'configs: [bsae, { config: base, settings: { port: 5432 } }]',
      'workloads: [tinny, { workload: tiny, set: { tables: shared } }, { workload: tiny, name: quick }]',
      'repeats: 2',
    ].join('\n'),
    expected: [
      '@2:10: builds[0]: unknown build "pg99.1": expected pg',
      '@2:18: builds[1]: build ',
      '@3:11: configs[0]: unknown config "bsae", did you mean "base"?',
      "@3:17: configs[1]: base with the plan's settings:",
      '@4:13: workloads[0]: unknown preset "tinny", did you mean "tiny"?',
      '@4:20: workloads[1]: tiny.yaml with --set tables: tables=shared needs deletes=false',
      '@4:65: workloads[2]: "quick" is the name of a preset, this is another workload',
    ],
  },
  { kind: 'a list', text: '- a\n- b\n', expected: ['@1:1: expected a map with name'] },
  { kind: 'an empty file', text: '', expected: ['@1:1: empty: expected a map with name'] },
  { kind: 'only comments', text: '# plan\n', expected: ['@1:1: empty: expected a map'] },
];

describe('a bad plan is refused with file, line, column and what was expected', () => {
  for (const { kind, text, expected, isFound = false } of BAD) {
    it(kind, async () => {
      const lines = (await problemsOf(text, isFound)).split('\n');
      const found = lines.length === 1 ? lines : lines.slice(1);
      assert.equal(found.length, expected.length, lines.join('\n'));
      expected.forEach((start, i) => {
        assert.ok(found[i]?.startsWith(start), `${found[i]}\nexpected\n${start}`);
      });
    });
  }

  it('has its good twin', async () => {
    const file = path.join(folder, 'good.yaml');
    fs.writeFileSync(file, GOOD);
    assert.equal((await loadPlan(file, found(false))).runs.length, 2);
  });

  it('a file that is not there, or is a folder', async () => {
    const absent = path.join(folder, 'absent.yaml');
    await assert.rejects(
      loadPlan(absent, found(false)),
      /^UsageError: plan file .*absent.yaml: expected a file/,
    );
    await assert.rejects(
      loadPlan(folder, found(false)),
      /^UsageError: plan file .*: this is a folder/,
    );
  });

  it('configurations that have the server run commands, unless they are allowed', async () => {
    const text = change(
      "configs: [base, { config: base, tag: mine, settings: { archive_mode: on, archive_command: 'curl x | sh' } }]",
    );
    const refused = await problemsOf(text, true);
    assert.match(refused, /^@3:17: configs\[1\]: config .*\n {2}archive_command \(.*\): curl x/);
    assert.match(refused, /allow them with --allow-exec$/);
    const file = path.join(folder, 'allowed.yaml');
    fs.writeFileSync(file, text);
    assert.equal((await loadPlan(file, found(true))).runs.length, 4);
  });

  it('configurations that go round in a circle, or are not for the version of a build', async () => {
    fs.writeFileSync(path.join(folder, 'one.conf'), "include 'two'\n");
    fs.writeFileSync(path.join(folder, 'two.conf'), "include 'one'\n");
    fs.writeFileSync(path.join(folder, 'old.conf'), '# versions: 9-10\nwork_mem = 1MB\n');
    const circle = await problemsOf(change('configs: [./one.conf]'), true);
    assert.match(
      circle,
      /^@3:11: configs\[0\]: .*two\.conf:1: include 'one' goes round in a circle/,
    );
    const old = await problemsOf(change('configs: [base, ./old.conf]'), true);
    assert.match(old, /^@3:17: configs\[1\]: .*config old is for versions 9-10, build pg/);
    const unknown = 'configs: [{ config: base, settings: { wal_compresion: on } }]';
    const setting = await problemsOf(change(unknown), true);
    assert.match(setting, /^@3:11: configs\[0\]: /);
    assert.match(setting, /has no such setting, did you mean wal_compression\?/);
  });

  it('options of runs that do not go together', async () => {
    const copy = change('set: { insert_method: copy }');
    const message = await problemsOf(`${copy}run: { driver: postgres.js, spin: true }\n`, true);
    assert.match(message, /^@7:6: run: --driver postgres\.js does not do insert_method=copy/);
  });

  it('all its problems at once, in the order of the file', async () => {
    const text = [
      'name: my study',
      'builds: [embedded]',
      'configs: [bsae]',
      'workloads: [{ workload: tiny, set: { clients: -1 } }]',
      'repeats: 0',
      'budget: soon',
    ].join('\n');
    const [header, ...found] = (await problemsOf(text, true)).split('\n');
    assert.match(header as string, / 5 problems$/);
    assert.deepEqual(
      found.map((line) => line.split(': ')[0]),
      ['@1:7', '@3:11', '@4:47', '@5:10', '@6:9'],
    );
  });
});
