import path from 'node:path';
import { type DiskFacts, readDiskFacts } from '../facts/disk.ts';
import { readHostFacts } from '../facts/index.ts';
import { quote, type RemoteShell, sshCommand } from '../remote/remote-shell.ts';
import { withRemoteSource } from '../remote/remote-tree.ts';
import type { FoundDevices } from '../sampler/devices.ts';
import { parseOsCounters } from '../sampler/os-counters.ts';
import {
  type ProcessStat,
  parseProcessStat,
  parseResident,
  parseRunTime,
} from '../sampler/proc-process.ts';
import { addCpu, addResident, isStable, postmasterGone } from '../sampler/server-processes.ts';
import { startSampler } from '../sampler/start-sampler.ts';
import { type HostBorder, type HostReader, runTimes, type ServerOnHost } from './host-reader.ts';
import { NO_DIRECTORY } from './local-reader.ts';

/** Adding up a large directory takes time. */
const DIRECTORY_MS = 600_000;

/** Reads another host, where the server runs, through a shell there. */
export function sshReader(shell: RemoteShell, server: ServerOnHost): HostReader {
  const { postmasterPid, dataDirectory } = server;
  const place = {
    command: (name: string, args: readonly string[]) =>
      sshCommand(shell.host, `LC_ALL=C exec ${[name, ...args].map(quote).join(' ')}`),
    readFiles: (paths: readonly string[]) => shell.readFiles(paths),
  };
  return {
    place: `ssh ${shell.host}`,
    isLocal: false,
    findDevices: () => findDevices(shell, dataDirectory),
    facts: () => readFacts(shell, dataDirectory),
    readBorder: (devices) => readBorder(shell, postmasterPid, devices),
    readCpu: async (pids) => {
      if (pids.length === 0) return new Map();
      const [stats] = await shell.run([`cat ${pids.map((pid) => `/proc/${pid}/stat`).join(' ')}`]);
      return addCpu(parseProcesses(stats?.text ?? '')).byPid;
    },
    readRunTimes: async (pids) => {
      const answers = await shell.run(pids.map((pid) => `cat /proc/${pid}/schedstat`));
      return runTimes(
        pids,
        answers.map(({ status, text }) => (status === 0 ? parseRunTime(text) : null)),
      );
    },
    residentBytes: () => residentBytes(shell, postmasterPid),
    dataDirectoryBytes: () => directoryBytes(shell, dataDirectory),
    startSampler: (options) => startSampler({ ...options, place }),
    close: () => shell.close(),
  };
}

async function readFacts(
  shell: RemoteShell,
  dataDirectory: string | null,
): Promise<Map<string, string | number | null>> {
  const [real] = await realPaths(shell, dataDirectory === null ? [] : [dataDirectory]);
  const facts = await withRemoteSource(shell, (source) =>
    readHostFacts(real ?? dataDirectory, source),
  );
  // Node runs here, and its version is recorded with the client.
  const { node_version: _, ...there } = facts;
  return new Map(Object.entries(there));
}

async function findDevices(
  shell: RemoteShell,
  dataDirectory: string | null,
): Promise<FoundDevices> {
  if (dataDirectory === null) return { devices: [], warnings: [NO_DIRECTORY] };
  const wanted = [dataDirectory, path.posix.join(dataDirectory, 'pg_wal')];
  const real = await realPaths(shell, wanted);
  return withRemoteSource(shell, async (source) => {
    const devices = new Set<string>();
    const warnings = new Set<string>();
    for (const [i, directory] of wanted.entries()) {
      const resolved = real[i] ?? null;
      const disk = resolved === null ? null : await readDiskFacts(source, resolved);
      if (disk?.device != null) devices.add(disk.device.replaceAll('!', '/'));
      const why = whyIncomplete(disk);
      if (why !== null) {
        warnings.add(
          `I/O of ${directory} on ${shell.host} is not measured in full: ${why}; name the devices with --device`,
        );
      }
    }
    return { devices: [...devices], warnings: [...warnings] };
  });
}

function whyIncomplete(disk: DiskFacts | null): string | null {
  if (disk === null) return 'this user cannot look at it';
  const { device, file_system, mount_source } = disk;
  if (device === null) {
    return `it is on ${file_system} (mounted from ${mount_source}), which has no block device that could be found`;
  }
  return file_system === 'btrfs'
    ? `it is on btrfs, of whose devices only ${device} was found`
    : null;
}

/** Without links; null for a path that cannot be looked at. */
async function realPaths(
  shell: RemoteShell,
  paths: readonly string[],
): Promise<readonly (string | null)[]> {
  const answers = await shell.run(paths.map((one) => `cd ${quote(one)} && pwd -P`));
  return answers.map(({ text, status }) => (status === 0 ? text.trimEnd() : null));
}

const READ_DISKS = 'cat /proc/diskstats';
const READ_ALL = 'cat /proc/[0-9]*/stat';
const ATTEMPTS = 5;

/**
 * The time of a reading is the middle of the round trip: of two readings the error is the same as far as
 * the network is steady, and it is their difference that counts.
 */
async function readBorder(
  shell: RemoteShell,
  postmasterPid: number,
  devices: readonly string[],
): Promise<HostBorder> {
  const sentNs = process.hrtime.bigint();
  const own = `cat /proc/${postmasterPid}/stat`;
  const first = await shell.run(['cat /proc/stat', READ_DISKS, own, READ_ALL, own]);
  const atNs = (sentNs + process.hrtime.bigint()) / 2n;
  const [stat, diskstats, ...rest] = first.map(({ text }) => text);
  const os = parseOsCounters({ atNs, stat: stat ?? '', diskstats: diskstats ?? '' }, devices);
  let [before, all, after] = rest;
  for (let attempt = 1; ; attempt += 1) {
    const processes = stableTree(postmasterPid, { before, all, after }, attempt === ATTEMPTS);
    if (processes !== null) return { os, server: addCpu(processes) };
    [before, all, after] = (await shell.run([own, READ_ALL, own])).map(({ text }) => text);
  }
}

/** The server's processes; null when one of them ended while they were read, see readServerCpu. */
function stableTree(
  postmasterPid: number,
  texts: Record<'before' | 'all' | 'after', string | undefined>,
  isLast: boolean,
): ProcessStat[] | null {
  const [before] = parseProcesses(texts.before ?? '');
  const [after] = parseProcesses(texts.after ?? '');
  if (before === undefined || after === undefined) throw postmasterGone(postmasterPid);
  if (!isStable(before, after) && !isLast) return null;
  const children = parseProcesses(texts.all ?? '').filter(({ ppid }) => ppid === postmasterPid);
  return [after, ...children];
}

/** One process a line; a name may hold a line end, and such a process is not a server's. */
function parseProcesses(text: string): ProcessStat[] {
  const lines = text.split('\n').filter((line) => /^\d+ \(.*\) \S( -?\d+){19}/.test(line));
  return lines.map(parseProcessStat);
}

async function residentBytes(shell: RemoteShell, postmasterPid: number): Promise<number | null> {
  const [all] = await shell.run([READ_ALL]);
  const processes = parseProcesses(all?.text ?? '').filter(
    ({ pid, ppid }) => pid === postmasterPid || ppid === postmasterPid,
  );
  const status = await shell.run(processes.map(({ pid }) => `cat /proc/${pid}/status`));
  return addResident(
    status.map(({ text }) => parseResident(text)).filter((resident) => resident !== null),
  );
}

/** As directoryBytes: what is allocated, links followed. */
async function directoryBytes(
  shell: RemoteShell,
  directory: string | null,
): Promise<number | null> {
  if (directory === null) return null;
  const [answer] = await shell.run([`LC_ALL=C du -skL ${quote(directory)} 2>&1`], DIRECTORY_MS);
  const lines = answer?.text.trimEnd().split('\n') ?? [];
  const kb = /^(\d+)\s/.exec(lines.at(-1) ?? '')?.[1];
  // Files that vanish meanwhile do not count; those that may not be read make the sum worthless.
  const isWhole = lines.slice(0, -1).every((line) => line.endsWith('No such file or directory'));
  return kb === undefined || !isWhole ? null : Number(kb) * 1024;
}
