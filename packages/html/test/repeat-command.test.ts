import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fact, Provenance } from '@ibench/core';
import { run } from '@ibench/core/testing';
import { repeatCommand } from '../src/repeat-command.ts';

const RUN = run('pg18.4.base', [], { build: 'pg18.4', config: 'base' });

const WORKLOAD: readonly Fact[] = [
  { category: 'workload', name: 'rows', value: 1000 },
  { category: 'workload', name: 'settle_seconds', value: null },
];

function recorded(commandLine: string, facts: readonly Fact[] = WORKLOAD): Provenance {
  return {
    runId: 'run-1',
    finishedAt: null,
    directory: '/runs/run-1',
    seed: 1,
    toolVersion: '0.1.0',
    commandLine,
    configText: 'work_mem = 4MB\n',
    configSha256: 'c',
    facts,
    settings: [],
  };
}

function client(values: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(values).map(([name, value]) => ({ category: 'client', name, value }));
}

test('a run is repeated as it was called', () => {
  assert.deepEqual(repeatCommand(RUN, recorded("run --tag 'a b'")), {
    asItWas: "ibench run --tag 'a b'",
    alone: null,
    configFile: null,
  });
});

test('a run of a plan has a command of its own, with every parameter of its workload', () => {
  const planned = { ...RUN, planRun: 7, config: "base,search_path=x y'" };
  assert.deepEqual(repeatCommand(planned, recorded('plan run nightly.yaml')), {
    asItWas: 'ibench plan run nightly.yaml --again',
    alone:
      'ibench run --build pg18.4 --config base,search_path=x_y_.conf --tag pg18.4.base --set rows=1000 --set settle_seconds=null',
    configFile: 'base,search_path=x_y_.conf',
  });
});

test('what makes its numbers incomparable is asked for again, and not twice in the tag', () => {
  const facts = client({ driver: 'postgres.js', spin: 'false', pin: 'same' });
  const planned = { ...RUN, planRun: 7, tag: 'my tag [debug build, postgres.js, pin=same]' };
  assert.equal(
    repeatCommand(planned, recorded('plan run x.yaml', facts)).alone,
    "ibench run --build pg18.4 --allow-debug-build --config base.conf --driver postgres.js --pin same --tag 'my tag'",
  );
  const spins = client({ driver: 'libpq', spin: 'true', pin: 'none' });
  assert.match(
    repeatCommand({ ...RUN, planRun: 7 }, recorded('plan run x.yaml', spins)).alone!,
    /base\.conf --spin --tag pg18\.4\.base$/,
  );
});

test('a plan that was resumed is repeated from its beginning', () => {
  const command = (called: string): string =>
    repeatCommand({ ...RUN, planRun: 7 }, recorded(called)).asItWas;
  const anew = 'ibench plan run x.yaml --runs-dir r --again';
  assert.equal(command('plan resume x.yaml --retry-failed --runs-dir r'), anew);
  assert.equal(command('plan run x.yaml --runs-dir r --again'), anew);
});
