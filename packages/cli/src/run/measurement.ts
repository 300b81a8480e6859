import fs from 'node:fs';
import path from 'node:path';
import { type CpuSeconds, type OsSample, osRates, type SamplingCost } from '@ibench/core';
import { averageSamples, compareReadings, HostUnreachable, readProcess } from '@ibench/host';
import { addOsSamples } from '@ibench/store';
import type { RunContext } from './context.ts';
import { type Border, cpuBetween } from './cpu-split.ts';
import { messageOf } from './failure.ts';
import { RunnerBeat } from './runner-beat.ts';
import { type StepProbe, serverSampler } from './server-sampler.ts';
import type { StepWatch } from './step-watch.ts';

/** What was read at both borders of a step and between. */
export interface Readings {
  readonly before: Border;
  readonly after: Border;
  readonly samples: readonly OsSample[];
  /** What it cost to sample the server. */
  readonly sampling: readonly SamplingCost[];
  readonly warnings: readonly string[];
  /** Longest time in which the runner itself did not run, s. */
  readonly runnerPauseS: number;
  readonly residentBytes: number | null;
  readonly dataDirectoryBytes: number | null;
}

/** The measurement of one step from outside: exact counters at its borders, samples in between. */
export interface Measurement {
  /** Reads the counters as the step starts. @param startNs CLOCK_MONOTONIC, ns */
  start(startNs: number, watch: StepWatch, probe?: StepProbe): Promise<void>;
  /** Reads the counters as the step ends, before any worker or backend goes. */
  end(): Promise<void>;
  /** Rejected when the store does not take the samples. */
  readonly failed: Promise<never>;
  /** Appends raw text to a file; where that fails the step gets a warning. */
  keep(file: string, text: string): void;
  /** Ends the samplers; what was read is complete then. */
  close(): Promise<void>;
  readings(): Promise<Readings>;
}

/**
 * Starts the samplers for a step.
 *
 * @param directory the step's folder, gets the raw text
 */
export async function openMeasurement(
  context: RunContext,
  stepKey: number,
  directory: string,
): Promise<Measurement> {
  fs.mkdirSync(directory, { recursive: true });
  const { host } = context.server;
  const samples: OsSample[] = [];
  const warnings = new Set<string>();
  const { failed, fail } = failure();
  let startNs: bigint | null = null;
  let isOver = false;
  let before: Border | null = null;
  let after: Border | null = null;
  let resident: number | null = null;
  let stopped: Promise<void> | null = null;
  const sampler = await host.startSampler({
    directory,
    intervalS: context.workload.sample_interval,
    devices: context.devices,
    stepStartNs: () => (isOver ? null : startNs),
    onSample: sampleKeeper(context, stepKey, samples, fail),
    onWarning: (text) => warnings.add(text),
  });
  const beat = new RunnerBeat();
  const server = serverSampler(context, stepKey, fail);
  const unlessUnreachable = toleratingAbsence(warnings);
  const readBorder = async (): Promise<Border> => {
    const tool = host.isLocal ? toolCpu(sampler.pids) : null;
    const border = await unlessUnreachable(host.readBorder(context.devices));
    return { os: border?.os ?? null, server: border?.server ?? null, tool };
  };
  return {
    start: async (ns, watch, probe = NOTHING_TO_TELL) => {
      startNs = BigInt(Math.round(ns));
      beat.start();
      before = await readBorder();
      server.start(ns, probe, watch);
    },
    end: async () => {
      isOver = true;
      beat.stop();
      server.stop();
      after = await readBorder();
      resident = await unlessUnreachable(host.residentBytes());
    },
    failed,
    keep: (file, text) => keepText(file, text, warnings),
    close: () => {
      beat.stop();
      stopped ??= Promise.all([sampler.stop(), server.end()]).then(() => {});
      return stopped;
    },
    readings: async () => {
      if (before === null || after === null)
        throw new Error('the step was not measured to its end');
      const dataDirectoryBytes = await unlessUnreachable(host.dataDirectoryBytes());
      const borders = { before, after };
      const runnerPauseS = beat.longestPauseS;
      const told = [...warnings, ...server.warnings(runnerPauseS)];
      return {
        ...borders,
        samples,
        sampling: server.costs((pid) => total(cpuBetween(borders, pid))),
        warnings: [...told, ...disagreements(borders, samples)],
        runnerPauseS,
        residentBytes: resident,
        dataDirectoryBytes,
      };
    },
  };
}

/** A promise that is only ever rejected, if at all. */
function failure(): { readonly failed: Promise<never>; readonly fail: (error: unknown) => void } {
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  return { failed, fail };
}

/** Takes samples, for the readings and into the store. */
function sampleKeeper(
  { store }: RunContext,
  stepKey: number,
  samples: OsSample[],
  fail: (error: unknown) => void,
): (sample: OsSample) => void {
  return (sample) => {
    samples.push(sample);
    // Called from a stream, where an exception would end the program.
    try {
      addOsSamples(store, stepKey, [sample]);
    } catch (error) {
      fail(error);
    }
  };
}

function keepText(file: string, text: string, warnings: Set<string>): void {
  try {
    fs.appendFileSync(file, text);
  } catch (error) {
    warnings.add(`${path.basename(file)} is incomplete: ${messageOf(error)}`);
  }
}

/** The runner's own steps change no rows, and read no smallest id. */
const NOTHING_TO_TELL: StepProbe = { values: () => [], nextDelete: () => null };

function total(cpu: CpuSeconds | null): number | null {
  return cpu === null ? null : cpu.user + cpu.system;
}

/** Another host that does not answer leaves its columns empty, and the step as it is. */
function toleratingAbsence(warnings: Set<string>): <T>(work: Promise<T>) => Promise<T | null> {
  return async (work) => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof HostUnreachable)) throw error;
      warnings.add(error.message);
      return null;
    }
  };
}

/** Length from which on the two readings of the kernel's counters must agree (SPEC 4.2), seconds. */
const COMPARED_SECONDS = 30;

/** Where the exact averages and those of the series differ by over 5%. */
function disagreements(
  { before, after }: Pick<Readings, 'before' | 'after'>,
  samples: readonly OsSample[],
): string[] {
  if (before.os === null || after.os === null) return [];
  if (after.os.atS - before.os.atS < COMPARED_SECONDS) return [];
  const { csps, cpups, wps, wmbps } = osRates(before.os, after.os);
  const exact = {
    csPerS: csps,
    cpuPct: cpups,
    writesPerS: wps,
    writeKbPerS: wmbps === null ? null : wmbps * 1024,
  };
  return compareReadings(exact, averageSamples(samples));
}

function toolCpu(samplerPids: readonly number[]): CpuSeconds {
  const own = process.cpuUsage();
  let user = own.user / 1e6;
  let system = own.system / 1e6;
  for (const pid of samplerPids) {
    const sampler = readProcess(pid);
    user += sampler?.user ?? 0;
    system += sampler?.system ?? 0;
  }
  return { user, system };
}
