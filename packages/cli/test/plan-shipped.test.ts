import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkPlan, expandPlan } from '@ibench/core';
import { readPlanSource } from '../src/plan/plan-source.ts';
import { readConfig } from '../src/read-config.ts';
import { readWorkload } from '../src/read-workload.ts';

const PLANS = fileURLToPath(new URL('../../../../configs/plans/', import.meta.url));

describe('a plan that comes with the tool', () => {
  for (const file of fs.readdirSync(PLANS).filter((name) => name.endsWith('.yaml'))) {
    it(`${file} can be read, and its configurations and workloads are there`, () => {
      const source = readPlanSource(path.join(PLANS, file));
      const { plan, axes, problems } = checkPlan(source.value, path.resolve);
      assert.deepEqual(problems, []);
      assert.equal(plan?.name, path.basename(file, '.yaml'));
      assert.ok(plan !== null && expandPlan(plan).length > 1);
      for (const { config } of axes.configs) readConfig(config);
      for (const { workload, set } of axes.workloads)
        readWorkload({ name: workload, overrides: set });
    });

    it(`${file} says in a comment how long it takes, and which builds it needs`, () => {
      const text = fs.readFileSync(path.join(PLANS, file), 'utf8');
      assert.match(text, /^# .*\?/);
      assert.match(text, /^# Time: \d+ runs/m);
      const { plan } = checkPlan(readPlanSource(path.join(PLANS, file)).value, path.resolve);
      const runs = Number(/^# Time: (\d+) runs/m.exec(text)?.[1]);
      assert.equal(plan === null ? 0 : expandPlan(plan).length, runs);
      for (const { build } of plan?.builds ?? []) {
        const isNamed = build === 'embedded' || text.includes(build.replace(/^pg/, ' '));
        assert.ok(isNamed, `no comment says where ${build} comes from`);
      }
    });
  }
});
