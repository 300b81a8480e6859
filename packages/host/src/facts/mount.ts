/** The mount that holds a path. */
export interface Mount {
  /** Device number as `major:minor`; major 0 where there is no block device. */
  readonly device: string;
  readonly mountPoint: string;
  readonly fileSystem: string;
  /** What was mounted: /dev/nvme0n1p2, server:/export, tank/pg … */
  readonly source: string;
  /** Options of the mount, then those of the file system, each once. */
  readonly options: readonly string[];
}

/**
 * The mount of an absolute path without symbolic links, from /proc/self/mountinfo (proc(5)): the
 * longest mount point above the path, the last one where a place was mounted twice. null without any.
 */
export function findMount(mountinfo: string | null, path: string): Mount | null {
  let best: Mount | null = null;
  for (const line of (mountinfo ?? '').split('\n')) {
    const mount = parseLine(line);
    if (mount === null || !contains(mount.mountPoint, path)) continue;
    if (best === null || mount.mountPoint.length >= best.mountPoint.length) best = mount;
  }
  return best;
}

function parseLine(line: string): Mount | null {
  const [left, right] = line.split(' - ');
  const [, , device, , mountPoint, mountOptions] = left?.split(' ') ?? [];
  const [fileSystem, source, superOptions] = right?.split(' ') ?? [];
  if (device === undefined || mountPoint === undefined || mountOptions === undefined) return null;
  if (fileSystem === undefined || source === undefined) return null;
  return {
    device,
    mountPoint: unescapeOctal(mountPoint),
    fileSystem,
    source: unescapeOctal(source),
    options: mergeOptions(mountOptions.split(','), superOptions?.split(',') ?? []),
  };
}

/** Read-only holds if either side says so; all other options simply add up. */
function mergeOptions(mount: readonly string[], superBlock: readonly string[]): readonly string[] {
  const all = [...new Set([...mount, ...superBlock])];
  return all.includes('ro') ? all.filter((option) => option !== 'rw') : all;
}

/** The kernel writes blanks, tabs, line ends and backslashes as \ooo. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

function contains(mountPoint: string, path: string): boolean {
  return mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`);
}
