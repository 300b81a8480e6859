import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OsSample } from '@ibench/core';
import { parseIostat } from '../src/sampler/parse-iostat.ts';
import { parseVmstat } from '../src/sampler/parse-vmstat.ts';
import { parseDiskStats } from '../src/sampler/proc-diskstats.ts';
import { startSampler } from '../src/sampler/start-sampler.ts';

const root = mkdtempSync(join(tmpdir(), 'sampler-'));
after(() => rmSync(root, { recursive: true }));

const DEVICES = [...parseDiskStats(readFileSync('/proc/diskstats', 'utf8')).keys()];

/** Stand-ins that print what the real tools do; the since-boot report says 999, then they count up from 1. */
const VMSTAT = `
  echo " r cs us sy id"; echo "1 999 9 9 82"
  i=1; while sleep "$2"; do echo "1 $i 2 3 95"; i=$((i+1)); done`;
const IOSTAT = `
  echo "Linux 6.1 (host)"; echo
  i=999; while :; do
    echo "Device r/s w/s"; echo "disk 0 $i"; echo "other 0 5"; echo
    sleep "$2"; [ $i = 999 ] && i=0; i=$((i+1))
  done`;

// Each waits for reports that come once a second, so they wait side by side.
describe('the sampler', { concurrency: true }, () => {
  test('vmstat and iostat of this host give samples, raw text, and leave no process behind', async () => {
    const run = await startRun({});
    assert.equal(run.pids.length, installed('vmstat') + installed('iostat'));
    assert.ok(run.pids.every(isAlive));
    await run.samplesReached(3);
    await run.stop();
    assert.deepEqual(run.pids.filter(isAlive), []);

    const seconds = run.samples.map((sample) => sample.second);
    assert.ok(seconds[0]! >= 1);
    assert.ok(seconds.every((second, index) => index === 0 || second > seconds[index - 1]!));
    assert.ok(run.samples.some(({ vm }) => vm !== null && vm.cs! > 0));
    assert.ok(run.samples.every(({ io }) => io.every((row) => DEVICES.includes(row.device))));
    // Every sample is a report of the raw text, where the first one is the averages since boot.
    if (installed('vmstat')) {
      const { rows } = parseVmstat(run.rawText('vmstat.txt'));
      const vms = run.samples.map((sample) => sample.vm).filter((vm) => vm !== null);
      const interval = rows.filter((row) => !row.sinceBoot).map((row) => row.sample);
      for (const vm of vms) assert.ok(interval.some((row) => isSame(row, vm)));
    }
    if (installed('iostat')) {
      assert.equal(parseIostat(run.rawText('iostat.txt'))[0]?.sinceBoot, true);
    }
  });

  test('without vmstat and iostat the samples come from /proc, and the warnings say so', async () => {
    const run = await startRun({ path: join(root, 'empty') });
    assert.deepEqual(run.pids, []);
    await run.samplesReached(2);
    await run.stop();

    assert.equal(run.warnings.length, 2);
    assert.match(
      run.warnings.join('\n'),
      /vmstat cannot be used \(it is not installed\): .*\/proc\/stat/,
    );
    assert.match(run.warnings.join('\n'), /iostat cannot be used .*\/proc\/diskstats/);
    const sample = run.samples[0]!;
    assert.ok(sample.second >= 1);
    assert.ok(sample.vm!.cs! > 0);
    const percents = [sample.vm!.us, sample.vm!.sy, sample.vm!.idle, sample.vm!.wa, sample.vm!.st];
    assert.ok(Math.abs(percents.reduce<number>((sum, value) => sum + value!, 0) - 100) < 1e-6);
    assert.deepEqual(
      sample.io.map((row) => row.device),
      DEVICES,
    );
    const count = run.samples.length;
    await sleep(1100);
    assert.equal(run.samples.length, count);
  });

  test('a vmstat that only prints an error is replaced by /proc, and its words are in the warning', async () => {
    const path = toolFolder({
      vmstat: 'echo "vmstat: no such option" >&2; exit 1',
      iostat: IOSTAT,
    });
    const run = await startRun({ path });
    // On a busy machine the halves of the first interval can come too far apart to be joined.
    while (run.samples.every(({ vm }) => vm === null)) {
      await run.samplesReached(run.samples.length + 1);
    }
    await run.stop();
    assert.match(run.warnings.join('\n'), /vmstat cannot be used \(vmstat: no such option\)/);
    assert.ok(run.samples.find(({ vm }) => vm !== null)!.vm!.cs! > 0);
  });

  test('the halves of one second are one sample, and since-boot values are in none', async () => {
    const run = await startRun({ path: toolFolder({ vmstat: VMSTAT, iostat: IOSTAT }) });
    await run.samplesReached(2);
    await run.stop();
    assert.deepEqual(run.warnings, []);
    const [first, second] = run.samples;
    // The tools count up from 1; which interval is the first whole one depends on when the step began.
    assert.equal(second!.vm!.cs, first!.vm!.cs! + 1);
    assert.equal(second!.second, first!.second + 1);
    assert.equal(first!.io[0]!.writesPerS, first!.vm!.cs);
    assert.deepEqual(
      first!.io.map((row) => row.device),
      ['disk'],
    );
  });

  test('nothing is sampled before the step starts', async () => {
    const path = toolFolder({ vmstat: VMSTAT, iostat: IOSTAT });
    const run = await startRun({ path, waits: true });
    await sleep(1500);
    assert.equal(run.samples.length, 0);
    run.startStep();
    await run.samplesReached(1);
    await run.stop();
    // The first whole interval ends one second into the step, two at most, and later on a busy machine.
    assert.ok(run.samples[0]!.second >= 1);
    assert.ok((run.samples[0]!.vm?.cs ?? run.samples[0]!.io[0]!.writesPerS!) >= 3);
  });

  test('a vmstat that dies during the step gives a warning, and iostat goes on alone', async () => {
    const run = await startRun({ path: toolFolder({ vmstat: VMSTAT, iostat: IOSTAT }) });
    await run.samplesReached(1);
    process.kill(-run.pids[0]!, 'SIGKILL');
    await run.samplesReached(3);
    await run.stop();
    assert.deepEqual(run.warnings, [
      'vmstat stopped while it was needed (it ended with SIGKILL): its samples end there',
    ]);
    assert.equal(run.samples.at(-1)!.vm, null);
    assert.ok(run.samples.at(-1)!.io.length > 0);
    assert.deepEqual(run.pids.filter(isAlive), []);
  });

  test('a tool that does not listen to SIGTERM is killed', async () => {
    const deaf = `trap '' TERM; ${VMSTAT}`;
    const run = await startRun({ path: toolFolder({ vmstat: deaf, iostat: IOSTAT }) });
    await run.stop();
    assert.deepEqual(run.pids.filter(isAlive), []);
    assert.deepEqual(run.warnings, []);
  });

  test('a folder that cannot be written to costs the raw text, not the samples', async () => {
    const path = toolFolder({ vmstat: VMSTAT, iostat: IOSTAT });
    const run = await startRun({ path, directory: join(root, 'absent') });
    await run.samplesReached(1);
    await run.stop();
    assert.match(run.warnings.join('\n'), /The text of vmstat is not kept: .*ENOENT/);
    assert.ok(run.samples[0]!.vm !== null);
  });

  test('rows that could not be read are counted in a warning', async () => {
    const path = toolFolder({
      vmstat: VMSTAT.replace('echo "1 $i', 'echo "5 5"; echo "1 $i'),
      iostat: IOSTAT,
    });
    const run = await startRun({ path });
    await run.samplesReached(1);
    await run.stop();
    assert.match(run.warnings.join('\n'), /^\d+ rows of vmstat could not be read$/);
  });

  test('the samplers end by themselves when the process that started them is killed', async () => {
    const path = toolFolder({ vmstat: VMSTAT, iostat: IOSTAT });
    const module = new URL('../src/sampler/start-sampler.js', import.meta.url);
    const code = `
    import { startSampler } from ${JSON.stringify(module.href)};
    const nothing = () => null;
    const sampler = await startSampler({
      directory: ${JSON.stringify(root)}, intervalS: 1, devices: [], path: ${JSON.stringify(path)},
      stepStartNs: nothing, onSample: nothing, onWarning: nothing,
    });
    process.stdout.write(JSON.stringify(sampler.pids));
  `;
    const runner = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = await once(runner.stdout, 'data');
    const pids: number[] = JSON.parse(String(text));
    assert.equal(pids.filter(isAlive).length, 2);
    runner.kill('SIGKILL');
    await until(() => !pids.some(isAlive));
  });
});

interface Run {
  readonly samples: OsSample[];
  readonly warnings: string[];
  readonly pids: readonly number[];
  startStep(): void;
  samplesReached(count: number): Promise<void>;
  rawText(name: string): string;
  stop(): Promise<void>;
}

async function startRun(options: {
  readonly path?: string;
  readonly directory?: string;
  readonly waits?: boolean;
}): Promise<Run> {
  const directory = options.directory ?? mkdtempSync(join(root, 'raw-'));
  const samples: OsSample[] = [];
  const warnings: string[] = [];
  let startNs: bigint | null = null;
  const startStep = (): void => {
    startNs = process.hrtime.bigint();
  };
  // A step that starts with the sampler: the first interval is a whole one.
  if (!options.waits) startStep();
  const sampler = await startSampler({
    directory,
    intervalS: 1,
    devices: options.path?.includes('tools-') ? ['disk'] : DEVICES,
    ...(options.path === undefined ? {} : { path: options.path }),
    stepStartNs: () => startNs,
    onSample: (sample) => samples.push(sample),
    onWarning: (text) => warnings.push(text),
  });
  return {
    samples,
    warnings,
    pids: sampler.pids,
    startStep,
    samplesReached: (count) => until(() => samples.length >= count),
    rawText: (name) => readFileSync(join(directory, name), 'utf8'),
    stop: () => sampler.stop(),
  };
}

/** A folder with these shell scripts as tools, and nothing else but the system's own commands behind it. */
function toolFolder(scripts: Record<string, string>): string {
  const folder = mkdtempSync(join(root, 'tools-'));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return `${folder}${delimiter}/usr/bin${delimiter}/bin`;
}

function installed(tool: string): number {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, tool))) ? 1 : 0;
}

/** A zombie whose new parent does not wait for it is dead too. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/\) Z /.test(stat);
  } catch {
    return false;
  }
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Waits for something that has to happen; the test runner's own time limit ends a wait in vain. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}
