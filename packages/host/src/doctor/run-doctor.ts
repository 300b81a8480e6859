import { statfs } from 'node:fs/promises';
import {
  type HostFacts,
  type HostSource,
  parseMeminfo,
  readHostFacts,
  readNumber,
  readText,
  thisHost,
} from '../facts/index.ts';
import { parseProcStat } from '../sampler/proc-stat.ts';
import { judgePath, judgeServerUser } from './access.ts';
import {
  judgeClockSource,
  judgeGovernor,
  judgeSmt,
  judgeSteal,
  judgeTurbo,
  judgeVirtualised,
} from './cpu.ts';
import { judgeFileSystem, judgeFreeDisk, judgeMountOptions } from './disk.ts';
import type { DoctorFinding } from './finding.ts';
import { judgeFlushes, judgeWritable, measureFlushes } from './flush-latency.ts';
import { judgeLoad, judgeOpenFiles, judgeOtherServers, parseLoad, parseOpenFiles } from './load.ts';
import { judgeSwap, judgeTransparentHugePages } from './memory.ts';
import { readIdentity, readPathSteps } from './read-access.ts';
import { readProcesses } from './read-processes.ts';
import { judgeCounters, judgeIostat, judgeNode, judgePerf, judgeVmstat } from './tools.ts';

/** What the doctor looks at. */
export interface DoctorOptions {
  /** Where runs will keep their data; it need not exist yet. */
  readonly directory: string;
  /** The user that would run the server when this is root; null or absent: there is none. */
  readonly serverUser?: string | null;
}

/**
 * Examines this host and `directory` for what makes a benchmark fail or mislead; one finding per check,
 * always the same checks in the same order. Writes one small file below `directory` for at most some 3 s,
 * and removes it.
 */
export async function runDoctor(options: DoctorOptions): Promise<readonly DoctorFinding[]> {
  const host = thisHost();
  // Read first, before the doctor adds to it.
  const load = parseLoad(await readText(`${host.proc}/loadavg`));
  const facts = await readHostFacts(options.directory, host);
  return [
    ...(await checkTools(host)),
    ...(await checkCpu(host, facts)),
    ...(await checkMemory(host, facts)),
    ...(await checkDirectory(options, facts)),
    judgeLoad(load, facts.logical_cpus),
    judgeOtherServers(await readProcesses(host.proc)),
    judgeOpenFiles(parseOpenFiles(await readText(`${host.proc}/self/limits`))),
  ];
}

async function checkTools(host: HostSource): Promise<readonly DoctorFinding[]> {
  const version = await host.run('perf', ['--version']);
  const perfRuns = version.kind === 'ended' && version.exitCode === 0;
  const perf = {
    version,
    stat: perfRuns
      ? await host.run('perf', ['stat', '-x', ';', '-e', 'instructions', 'true'])
      : null,
    paranoid: await readNumber(`${host.proc}/sys/kernel/perf_event_paranoid`),
    root: process.getuid?.() === 0,
  };
  return [
    judgeNode(host.nodeVersion),
    judgeVmstat(await host.run('vmstat', ['-V'])),
    judgeIostat(await host.run('iostat', ['-V'])),
    judgePerf(perf),
    judgeCounters(perf),
  ];
}

async function checkCpu(host: HostSource, facts: HostFacts): Promise<readonly DoctorFinding[]> {
  const stat = await readText(`${host.proc}/stat`);
  return [
    judgeGovernor(facts.governor, facts.virtualised),
    judgeTurbo(facts.turbo, facts.cpu_driver),
    judgeSmt(facts.smt, facts.virtualised),
    judgeClockSource(facts.clock_source),
    judgeVirtualised(facts.virtualised),
    judgeSteal(stat === null ? null : parseProcStat(stat).cpu),
  ];
}

async function checkMemory(host: HostSource, facts: HostFacts): Promise<readonly DoctorFinding[]> {
  const meminfo = parseMeminfo(await readText(`${host.proc}/meminfo`));
  return [
    judgeTransparentHugePages(facts.transparent_huge_pages),
    judgeSwap(meminfo.get('SwapTotal') ?? null, meminfo.get('SwapFree') ?? null),
  ];
}

async function checkDirectory(
  options: DoctorOptions,
  facts: HostFacts,
): Promise<readonly DoctorFinding[]> {
  const steps = await readPathSteps(options.directory);
  // Where the directory is yet to be made, its nearest existing parent is on the same disk.
  const existing = steps.at(-1)?.path ?? '/';
  const identity = await readIdentity(options.serverUser ?? null);
  const space = await statfs(existing).catch(() => null);
  const flushes = measureFlushes(existing);
  return [
    judgeWritable(flushes, existing),
    judgeServerUser(identity),
    judgePath(steps, identity),
    judgeFreeDisk(space === null ? null : space.bavail * space.bsize),
    judgeFileSystem(facts.file_system),
    judgeMountOptions(facts.mount_options),
    judgeFlushes(flushes, { virtualised: facts.virtualised, writeCache: facts.write_cache }),
  ];
}
