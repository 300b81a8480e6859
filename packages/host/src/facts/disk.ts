import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findDevice, readBlockDevices, readMembers } from './block-device.ts';
import { findMount } from './mount.ts';
import { joinDistinct, parseChoice, readNumber, readText } from './read-file.ts';
import type { HostSource } from './source.ts';

/** File system and disk below the data directory; null: there is no such thing, or it does not say. */
export interface DiskFacts {
  readonly file_system: string | null;
  readonly mount_options: string | null;
  readonly mount_source: string | null;
  readonly mount_point: string | null;
  /** Name of the disk in /sys/block. */
  readonly device: string | null;
  /** The disks below a dm or md device; otherwise the device itself. */
  readonly device_members: string | null;
  /** Model of the device or of its members. */
  readonly device_model: string | null;
  readonly device_bytes: number | null;
  readonly scheduler: string | null;
  readonly read_ahead_kb: number | null;
  /** 1 or 0, as the kernel believes. */
  readonly rotational: number | null;
  /** write back: a volatile cache that must be flushed; write through: none. */
  readonly write_cache: string | null;
}

/** Reads which file system and disk hold `dataPath`, which need not exist yet. */
export async function readDiskFacts(source: HostSource, dataPath: string): Promise<DiskFacts> {
  const mountinfo = await readText(`${source.proc}/self/mountinfo`);
  const mount = findMount(mountinfo, await resolveLinks(resolve(dataPath)));
  const devices = await readBlockDevices(source.sys);
  const device = mount === null ? null : findDevice(devices, mount);
  return {
    ...NO_DISK,
    file_system: mount?.fileSystem ?? null,
    mount_options: mount?.options.join(',') ?? null,
    mount_source: mount?.source ?? null,
    mount_point: mount?.mountPoint ?? null,
    ...(device === null
      ? {}
      : await readDevice(
          source.sys,
          device.disk,
          await readMembers(source.sys, devices, device.disk),
        )),
  };
}

/** Where it is not known what the data lies on. */
export const NO_DISK: DiskFacts = {
  file_system: null,
  mount_options: null,
  mount_source: null,
  mount_point: null,
  device: null,
  device_members: null,
  device_model: null,
  device_bytes: null,
  scheduler: null,
  read_ahead_kb: null,
  rotational: null,
  write_cache: null,
};

type DeviceFacts = Omit<
  DiskFacts,
  'file_system' | 'mount_options' | 'mount_source' | 'mount_point'
>;

const SECTOR_BYTES = 512;

async function readDevice(
  sys: string,
  disk: string,
  members: readonly string[],
): Promise<DeviceFacts> {
  const base = `${sys}/block/${disk}`;
  const models = members.map((member) => readText(`${sys}/block/${member}/device/model`));
  const sectors = await readNumber(`${base}/size`);
  return {
    device: disk,
    device_members: joinDistinct(members),
    device_model: joinDistinct(await Promise.all(models)),
    device_bytes: sectors === null ? null : sectors * SECTOR_BYTES,
    scheduler: parseChoice(await readText(`${base}/queue/scheduler`)),
    read_ahead_kb: await readNumber(`${base}/queue/read_ahead_kb`),
    rotational: await readNumber(`${base}/queue/rotational`),
    write_cache: await readText(`${base}/queue/write_cache`),
  };
}

/** The path with the links of its existing part resolved; what does not exist yet is kept as it is. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    return join(await resolveLinks(parent), path.slice(parent.length));
  }
}
