import fs from 'node:fs';
import koffi from 'koffi';

const libc = koffi.load('libc.so.6');
const pipe2 = libc.func('int pipe2(_Out_ int *fds, int flags)');
const ioctl = libc.func('int ioctl(int fd, unsigned long request, _Out_ int *value)');

const O_CLOEXEC = 0o2000000;
const FIONREAD = 0x541b;

/** The two descriptors of a pipe with blocking ends. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/** Makes a pipe as the runner does between its workers. */
export function makePipe(): Pipe {
  const fds = [0, 0];
  if (pipe2(fds, O_CLOEXEC) !== 0) throw new Error(`pipe2: errno ${koffi.errno()}`);
  return { read: fds[0] as number, write: fds[1] as number };
}

/** Bytes that wait in a pipe. */
export function bytesIn({ read }: Pipe): number {
  const value = [0];
  if (ioctl(read, FIONREAD, value) !== 0) throw new Error(`ioctl: errno ${koffi.errno()}`);
  return value[0] as number;
}

/** Closes descriptors, each of which is still open. */
export function close(...fds: number[]): void {
  for (const fd of fds) fs.closeSync(fd);
}
