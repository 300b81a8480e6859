import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type CanaryFigures,
  canaryAudit,
  clockAudit,
  cpuAudits,
  deadlineAudit,
  type OsCounters,
  type OsSample,
  runnerAudit,
  samplesAudit,
  stoppedAudit,
} from '../src/index.ts';

const NO_CPU = { user: 0, nice: 0, system: 0, idle: 0, iowait: 0, irq: 0, softirq: 0, steal: 0 };
const BOUNDS = { maxForeignCpuPct: 25, maxStealPct: 10 };

/** A machine of two CPUs over a step, CPU in seconds. */
function machine(seconds: number, spent: { busy?: number; steal?: number; ours?: number }) {
  const { busy = 0, steal = 0, ours = 0 } = spent;
  const at = (atS: number, cpu: OsCounters['cpu']): OsCounters => ({
    atS,
    cpu,
    contextSwitches: 0,
    cpus: 2,
    disks: [],
  });
  const idle = 2 * seconds - busy - steal;
  return {
    osBefore: at(100, NO_CPU),
    osAfter: at(100 + seconds, { ...NO_CPU, user: busy, steal, idle }),
    cpuSplit: {
      insertBackends: ours / 2,
      deleteBackends: 0,
      queryBackends: 0,
      maintenanceBackend: 0,
      background: ours / 4,
      loadGenerator: ours / 4,
    },
  };
}

const verdicts = (audits: readonly { name: string; verdict: string }[]): string[] =>
  audits.map(({ name, verdict }) => `${name} ${verdict}`);

describe('CPU of other programs, and steal', () => {
  const judged = (...args: Parameters<typeof machine>) => cpuAudits(machine(...args), BOUNDS);

  it('of a machine that is ours is ok', () => {
    const audits = judged(10, { busy: 18, ours: 17.5 });
    assert.deepEqual(verdicts(audits), ['foreign-cpu ok', 'steal ok']);
    assert.equal(audits[0]?.value, 2.5);
  });

  it('above 5% and 1% is warned, with the figures in words', () => {
    const audits = judged(10, { busy: 12, steal: 0.4, ours: 10 });
    assert.deepEqual(verdicts(audits), ['foreign-cpu warned', 'steal warned']);
    assert.match(
      String(audits[0]?.reason),
      /^10\.0% of the CPU went to other programs .*bound 5%$/,
    );
  });

  it('above the bounds is invalid', () => {
    const audits = judged(10, { busy: 12, steal: 4, ours: 2 });
    assert.deepEqual(verdicts(audits), ['foreign-cpu invalid', 'steal invalid']);
    assert.deepEqual(
      audits.map(({ value, bound }) => [value, bound]),
      [
        [50, 25],
        [20, 10],
      ],
    );
  });

  it('is only warned of in a step too short to be judged', () => {
    assert.deepEqual(verdicts(judged(2, { busy: 3, ours: 1 })), ['foreign-cpu warned', 'steal ok']);
  });

  it('is not judged where it was not read', () => {
    const known = machine(10, { busy: 1 });
    assert.deepEqual(cpuAudits({ ...known, osAfter: null }, BOUNDS), []);
    assert.deepEqual(verdicts(cpuAudits({ ...known, cpuSplit: null }, BOUNDS)), ['steal ok']);
  });
});

describe('the time of day', () => {
  const at = (realMs: number, monotonicMs: number) => ({ realMs, monotonicMs });

  it('may be slewed, and read a little late', () => {
    const [audit] = clockAudit([
      at(1e12, 0),
      at(1e12 + 60_000, 60_000),
      at(1e12 + 120_090, 120_000),
    ]);
    assert.equal(audit?.verdict, 'ok');
  });

  it('that was set and set back in the same step is found', () => {
    const [audit] = clockAudit([
      at(1e12, 0),
      at(1e12 + 1000 - 3600e3, 1000),
      at(1e12 + 2000, 2000),
    ]);
    assert.equal(audit?.verdict, 'warned');
    assert.equal(audit?.value, -3600);
    assert.match(String(audit?.reason), /was set, or the host suspended.*moved -3600\.0 s/);
  });

  it('needs two readings', () => assert.deepEqual(clockAudit([at(1e12, 0)]), []));
});

describe('the series of vmstat and iostat', () => {
  const VM = {} as NonNullable<OsSample['vm']>;
  const DEVICE = {} as OsSample['io'][number];
  const sample = (second: number, parts: Partial<OsSample> = {}): OsSample => ({
    second,
    vm: VM,
    io: [DEVICE],
    ...parts,
  });
  const series = (n: number, parts = {}) => Array.from({ length: n }, (_, i) => sample(i, parts));
  const step = { seconds: 60, intervalS: 1, wanted: { io: true } };

  it('that went on to the end is ok', () => {
    assert.equal(samplesAudit(series(59), step)[0]?.verdict, 'ok');
  });

  it('that stopped half-way is warned of, by the tool that stopped', () => {
    const samples = [...series(30), ...series(29, { io: [] })];
    const [audit] = samplesAudit(samples, step);
    assert.equal(audit?.verdict, 'warned');
    assert.match(String(audit?.reason), /^iostat gave 30 samples of at least 59: .*missing$/);
    assert.equal(samplesAudit(samples, { ...step, wanted: { io: false } })[0]?.verdict, 'ok');
  });

  it('of a few intervals is not judged', () => {
    assert.deepEqual(samplesAudit([], { ...step, seconds: 5 }), []);
  });
});

describe('a step that ends by time', () => {
  const ends = [
    { who: 'the pacer', finishedS: 7.9 },
    { who: 'the querier', finishedS: 11.2 },
  ];

  it('is invalid when it ended more than a second late, with how much and by whom', () => {
    const [audit] = deadlineAudit(8, 11.2, ends);
    assert.equal(audit?.verdict, 'invalid');
    assert.match(
      String(audit?.reason),
      /^the step ended 3\.2 s after its time of 8 s, .* over 11\.2 s; the querier was the last/,
    );
    assert.equal(deadlineAudit(8, 9.001, ends)[0]?.verdict, 'invalid');
  });

  it('is ok when it ended within a second, and not judged when it ends by its rows', () => {
    assert.deepEqual(
      [8, 8.3, 9].map((seconds) => deadlineAudit(8, seconds, [])[0]?.verdict),
      ['ok', 'ok', 'ok'],
    );
    assert.deepEqual(deadlineAudit(null, 11.2, ends), []);
  });
});

describe('the runner', () => {
  const fine = { seconds: 8, pauseS: 0.3, isWork: false, countersS: 8.1 };
  const judged = (seen: Partial<typeof fine>) => {
    const { verdict, reason } = runnerAudit({ ...fine, ...seen });
    return `${verdict}: ${reason}`;
  };

  it('that ran all the time is ok', () => assert.match(judged({}), /^ok: /));

  it('that stood still is warned of in a step of the workers', () => {
    assert.equal(judged({ pauseS: 5 }), 'warned: the runner stood still for 5.0 s');
  });

  it('that stood still makes a step invalid whose work is its own', () => {
    const text =
      'the runner stood still for 5.0 s; it is the runner that does the work of this step';
    assert.equal(judged({ pauseS: 5, isWork: true }), `invalid: ${text}`);
  });

  it('that read the counters too late, or too early, makes the step invalid', () => {
    const text = 'the counters of the machine are of 10.9 s, the step of 8.0 s';
    assert.equal(judged({ countersS: 10.9 }), `invalid: ${text}`);
    assert.match(judged({ countersS: 7.4 }), /^invalid: /);
  });

  it('may be half a second late, or a twentieth of the step', () => {
    assert.match(judged({ seconds: 1, countersS: 1.4 }), /^ok: /);
    assert.match(judged({ seconds: 1, countersS: 1.6 }), /^warned: /);
    assert.match(judged({ seconds: 100, countersS: 104 }), /^ok: /);
    assert.match(judged({ seconds: 100, countersS: 106 }), /^invalid: /);
    assert.match(runnerAudit({ ...fine, countersS: null }).verdict, /^ok$/);
  });
});

describe('processes that were stopped', () => {
  const worker = { who: 'the querier', isServer: false, isTraced: false, times: 3 };
  const backend = { who: 'its backend', isServer: true, isTraced: true, times: 1 };

  it('make a step invalid where they are of the load generator, else are warned of', () => {
    const judged = [[], [backend], [worker], [backend, worker]].map((all) => stoppedAudit(all));
    assert.deepEqual(verdicts(judged), [
      'stopped ok',
      'stopped warned',
      'stopped invalid',
      'stopped invalid',
    ]);
    assert.equal(
      judged[3]?.reason,
      'its backend was stopped (by a debugger), as was seen in 1 second: its answers were late because of that; the querier was stopped (SIGSTOP), as was seen in 3 seconds: the time it lost is in the figures as if the server had taken it',
    );
  });
});

describe('the canary', () => {
  const usual: CanaryFigures = { cpuMs: 100, memoryMbPerS: 5000, flushUs: 1000, writeUs: 5 };
  const history = (spread: number, runs = 6) =>
    Array.from({ length: runs }, (_, i) => [
      { ...usual, cpuMs: 100 + spread * (i - 2), flushUs: null },
    ]);

  it('is not judged before there are five earlier runs', () => {
    assert.deepEqual(canaryAudit([{ ...usual, cpuMs: 900 }], history(1, 4)), []);
  });

  it('within the band is ok, where a figure is unknown too', () => {
    assert.equal(canaryAudit([usual, { ...usual, cpuMs: 109 }], history(0))[0]?.verdict, 'ok');
  });

  it('outside of it makes the run suspect, with what strayed and the band', () => {
    const [audit] = canaryAudit([usual, { ...usual, cpuMs: 120, memoryMbPerS: 2500 }], history(0));
    assert.equal(audit?.verdict, 'warned');
    assert.equal(audit?.value, 2.5);
    assert.match(
      String(audit?.reason),
      /^suspect: .*6 earlier runs: the CPU loop took 120 ms \(usually 100 ± 10\.0\); copying memory went at 2500 MB\/s \(usually 5000 ± 1000\)$/,
    );
  });

  it('of a host that varies by itself has a wider band', () => {
    assert.equal(canaryAudit([{ ...usual, cpuMs: 120 }], history(4))[0]?.verdict, 'ok');
  });
});
