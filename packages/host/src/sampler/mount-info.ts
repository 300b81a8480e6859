/** One mounted file system of `/proc/self/mountinfo`. */
export interface Mount {
  readonly mountPoint: string;
  readonly fileSystem: string;
  /** `/dev/sda2`, or a word such as `tmpfs`, `overlay`, `pool/data`. */
  readonly source: string;
  /** Options of the file system, such as overlay's `upperdir`; those without a value have an empty one. */
  readonly options: ReadonlyMap<string, string>;
}

/** Parses `/proc/self/mountinfo` (proc(5)): fields, optional fields, a hyphen, then type, source and options. */
export function parseMountInfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [left, right] = line.split(' - ');
    const mountPoint = left?.split(' ')[4];
    const [fileSystem, source, options] = right?.split(' ') ?? [];
    if (mountPoint === undefined || fileSystem === undefined || source === undefined) return [];
    return [
      {
        mountPoint: unescapeOctal(mountPoint),
        fileSystem,
        source: unescapeOctal(source),
        options: parseOptions(options ?? ''),
      },
    ];
  });
}

/** The mount that holds a path without links: the deepest one, and of several at one place the last. */
export function findMount(mounts: readonly Mount[], path: string): Mount | null {
  let best: Mount | null = null;
  for (const mount of mounts) {
    const isDeeper = best === null || mount.mountPoint.length >= best.mountPoint.length;
    if (isDeeper && isInside(path, mount.mountPoint)) best = mount;
  }
  return best;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function parseOptions(text: string): Map<string, string> {
  return new Map(
    text.split(',').map((option) => {
      const [name = '', ...value] = option.split('=');
      return [name, unescapeOctal(value.join('='))] as const;
    }),
  );
}

/** Blanks, tabs, newlines and backslashes are written in octal: `\040`. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
