import fs from 'node:fs';
import path from 'node:path';
import { type CpuSeconds, type OsSample, osRates } from '@ibench/core';
import {
  averageSamples,
  compareReadings,
  type HostBorder,
  HostUnreachable,
  readProcess,
} from '@ibench/host';
import { addOsSamples } from '@ibench/store';
import type { RunContext } from './context.ts';
import { messageOf } from './failure.ts';

/** Counters at one border of a step. */
interface Border extends HostBorder {
  /** CPU of the runner and its samplers; null: on another host than the server. */
  readonly tool: CpuSeconds | null;
}

/** What was read at both borders of a step and between. */
export interface Readings {
  readonly before: Border;
  readonly after: Border;
  readonly samples: readonly OsSample[];
  readonly warnings: readonly string[];
  readonly residentBytes: number | null;
  readonly dataDirectoryBytes: number | null;
}

/** The measurement of one step from outside: exact counters at its borders, samples in between. */
export interface Measurement {
  /** Reads the counters as the step starts. @param startNs CLOCK_MONOTONIC, ns */
  start(startNs: number): Promise<void>;
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
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
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
    onSample: (sample) => {
      samples.push(sample);
      // Called from a stream, where an exception would end the program.
      try {
        addOsSamples(context.store, stepKey, [sample]);
      } catch (error) {
        fail(error);
      }
    },
    onWarning: (text) => warnings.add(text),
  });
  const unlessUnreachable = toleratingAbsence(warnings);
  const readBorder = async (): Promise<Border> => {
    const tool = host.isLocal ? toolCpu(sampler.pids) : null;
    const border = await unlessUnreachable(host.readBorder(context.devices));
    return { os: border?.os ?? null, server: border?.server ?? null, tool };
  };
  return {
    start: async (ns) => {
      startNs = BigInt(Math.round(ns));
      before = await readBorder();
    },
    end: async () => {
      isOver = true;
      after = await readBorder();
      resident = await unlessUnreachable(host.residentBytes());
    },
    failed,
    keep: (file, text) => {
      try {
        fs.appendFileSync(file, text);
      } catch (error) {
        warnings.add(`${path.basename(file)} is incomplete: ${messageOf(error)}`);
      }
    },
    close: () => {
      stopped ??= sampler.stop();
      return stopped;
    },
    readings: async () => {
      if (before === null || after === null)
        throw new Error('the step was not measured to its end');
      const dataDirectoryBytes = await unlessUnreachable(host.dataDirectoryBytes());
      return {
        before,
        after,
        samples,
        warnings: [...warnings, ...disagreements(before, after, samples)],
        residentBytes: resident,
        dataDirectoryBytes,
      };
    },
  };
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
function disagreements(before: Border, after: Border, samples: readonly OsSample[]): string[] {
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
