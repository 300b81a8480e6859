import koffi from 'koffi';

/** Calls of the C library that Node lacks. Linux only. */
const libc = koffi.load('libc.so.6');
const libcPipe2 = libc.func('int pipe2(_Out_ int *fds, int flags)');
const libcGetAffinity = libc.func('int sched_getaffinity(int pid, size_t size, _Out_ void *mask)');
const libcMemfdCreate = libc.func('int memfd_create(const char *name, unsigned int flags)');

const libcShmctl = libc.func('int shmctl(int id, int command, void *buffer)');

const O_CLOEXEC = 0o2000000;
const MFD_CLOEXEC = 1;
const IPC_RMID = 0;
/** More CPUs than a Linux kernel can have. */
const MAX_CPUS = 8192;

/** The two descriptors of a pipe; neither is inherited by a child unless it is named in its stdio. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/** Makes a pipe with blocking ends. Throws when the process has no descriptors left. */
export function createPipe(): Pipe {
  const fds = [0, 0];
  if (libcPipe2(fds, O_CLOEXEC) !== 0) throw new Error(`pipe2: errno ${koffi.errno()}`);
  return { read: fds[0] as number, write: fds[1] as number };
}

/** Makes an anonymous file in memory, to be shared by inheritance; returns its descriptor. */
export function createMemoryFile(name: string): number {
  const fd: number = libcMemfdCreate(name, MFD_CLOEXEC);
  if (fd < 0) throw new Error(`memfd_create: errno ${koffi.errno()}`);
  return fd;
}

/** Removes a System V shared memory segment; one that is gone, or another user's, is left as it is. */
export function removeSystemVSegment(id: number): void {
  libcShmctl(id, IPC_RMID, null);
}

/** Numbers of the CPUs that this process may run on, rising. */
export function allowedCpus(): number[] {
  const mask = Buffer.alloc(MAX_CPUS / 8);
  if (libcGetAffinity(0, mask.length, mask) !== 0) {
    throw new Error(`sched_getaffinity: errno ${koffi.errno()}`);
  }
  return Array.from({ length: MAX_CPUS }, (_, cpu) => cpu).filter(
    (cpu) => ((mask[cpu >> 3] as number) >> (cpu & 7)) & 1,
  );
}

/** Is this file a libpq that can be loaded? Otherwise the loader's words. */
export function libpqFault(file: string): string | null {
  try {
    koffi.load(file).func('int PQlibVersion()')();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
