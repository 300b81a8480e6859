import { readNames, readText } from './read-file.ts';

/** A disk or partition the kernel knows. */
export interface BlockDevice {
  readonly name: string;
  /** `major:minor`. */
  readonly number: string | null;
  /** The disk this is, or is a partition of; dm and md devices are disks of their own. */
  readonly disk: string;
  /** Name under /dev/mapper, of dm devices. */
  readonly mapperName: string | null;
}

/** All disks and partitions below /sys/block. */
export async function readBlockDevices(sys: string): Promise<readonly BlockDevice[]> {
  const disks = await readNames(`${sys}/block`);
  const found = await Promise.all(disks.map((disk) => readDisk(sys, disk)));
  return found.flat();
}

/**
 * The device of a mount: by number, or, where the file system has a number of its own (btrfs), by the
 * name of what was mounted. null for file systems without a device.
 */
export function findDevice(
  devices: readonly BlockDevice[],
  mount: { readonly device: string; readonly source: string },
): BlockDevice | null {
  const byNumber = devices.find((device) => device.number === mount.device);
  if (byNumber !== undefined) return byNumber;
  const name = /^\/dev\/(?:mapper\/)?([^/]+)$/.exec(mount.source)?.[1];
  if (name === undefined) return null;
  return devices.find((device) => device.name === name || device.mapperName === name) ?? null;
}

/** The disks that a dm or md device lies on, at the bottom of the stack; the disk itself if it lies on none. */
export async function readMembers(
  sys: string,
  devices: readonly BlockDevice[],
  disk: string,
): Promise<readonly string[]> {
  const slaves = await readNames(`${sys}/block/${disk}/slaves`);
  if (slaves.length === 0) return [disk];
  const below = slaves.map(
    (slave) => devices.find((device) => device.name === slave)?.disk ?? slave,
  );
  const members = await Promise.all(below.map((name) => readMembers(sys, devices, name)));
  return [...new Set(members.flat())];
}

async function readDisk(sys: string, disk: string): Promise<readonly BlockDevice[]> {
  const base = `${sys}/block/${disk}`;
  const mapperName = await readText(`${base}/dm/name`);
  const devices = [{ name: disk, number: await readText(`${base}/dev`), disk, mapperName }];
  for (const name of await readNames(base)) {
    if (!name.startsWith(disk)) continue;
    const number = await readText(`${base}/${name}/dev`);
    devices.push({ name, number, disk, mapperName: null });
  }
  return devices;
}
