import fs from 'node:fs';
import { getSystemErrorName } from 'node:util';
import koffi from 'koffi';

/** The few calls of the C library that Node has no blocking, allocation-free form of. Linux only. */
const libc = koffi.load('libc.so.6');

const PR_SET_PDEATHSIG = 1;
const PR_SET_TIMERSLACK = 29;
const SIGKILL = 9;
const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const CLOCK_MONOTONIC = 1;
const TIMER_ABSTIME = 1;
const EINTR = 4;

const libcPrctl = libc.func(
  'int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)',
);
const libcMmap = libc.func(
  'void *mmap(void *addr, size_t length, int prot, int flags, int fd, int64_t offset)',
);
const libcMalloc = libc.func('void *malloc(size_t size)');
const libcRead = libc.func('intptr_t read(int fd, void *buffer, size_t count)');
const libcWrite = libc.func('intptr_t write(int fd, const void *buffer, size_t count)');
const libcNanosleep = libc.func(
  'int clock_nanosleep(int clock, int flags, const void *request, void *remain)',
);
const libcSetAffinity = libc.func('int sched_setaffinity(int pid, size_t size, const void *mask)');

/**
 * Makes the kernel end this process when its parent ends, even by SIGKILL.
 *
 * @param parentPid the parent at start; if it is already gone this process exits at once
 */
export function dieWithParent(parentPid: number): void {
  libcPrctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (process.ppid !== parentPid) process.exit(1);
}

/** Lets timers fire when due rather than up to 50 µs later (the kernel's default slack). */
export function wantExactTimers(): void {
  libcPrctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

/** Binds all threads of this process, and those it will start, to one CPU. */
export function bindProcess(cpu: number): void {
  for (const thread of fs.readdirSync('/proc/self/task')) bindTask(Number(thread), cpu);
}

/**
 * Binds a thread, or a process with one thread, to one CPU.
 *
 * @throws Error when there is no such process or CPU, or it is another user's and this one not privileged
 */
export function bindTask(id: number, cpu: number): void {
  const mask = Buffer.alloc(8 * (1 + Math.floor(cpu / 64)));
  mask[cpu >> 3] = 1 << (cpu & 7);
  if (libcSetAffinity(id, mask.length, mask) === 0) return;
  throw new Error(
    `--pin: process ${id} cannot be bound to CPU ${cpu}: sched_setaffinity says ${getSystemErrorName(-koffi.errno())}; for a process of another user it needs CAP_SYS_NICE, which root has outside of containers`,
  );
}

/** Maps part of a file as shared memory; `offset` is a multiple of the page size. */
export function mapShared(fd: number, offset: number, bytes: number): ArrayBuffer {
  const address = libcMmap(null, bytes, PROT_READ_WRITE, MAP_SHARED, fd, offset) as bigint;
  if (BigInt.asIntN(64, address) === -1n) {
    throw new Error(`mmap of ${bytes} bytes at ${offset} of descriptor ${fd} failed`);
  }
  return koffi.view(address, bytes);
}

/** Memory outside the JavaScript heap: its address never moves, so C may keep it. */
export interface NativeMemory {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Allocates native memory for the life of the process. */
export function allocate(length: number): NativeMemory {
  const address = libcMalloc(length) as bigint;
  const memory = koffi.view(address, length);
  return {
    address: Number(address),
    bytes: new Uint8Array(memory),
    view: new DataView(memory),
  };
}

/** Reads up to `count` bytes, blocking; returns 0 at the end of the pipe. */
export function readBlocking(fd: number, buffer: Uint8Array, count: number): number {
  for (;;) {
    const n = libcRead(fd, buffer, count) as number;
    if (n >= 0) return n;
    if (koffi.errno() !== EINTR)
      throw new Error(`read from descriptor ${fd}: errno ${koffi.errno()}`);
  }
}

/** Writes all bytes of a short buffer, blocking; false when nobody reads any more. */
export function writeBlocking(fd: number, buffer: Uint8Array): boolean {
  for (;;) {
    const n = libcWrite(fd, buffer, buffer.length) as number;
    if (n === buffer.length) return true;
    if (n < 0 && koffi.errno() !== EINTR) return false;
  }
}

const request = Buffer.alloc(16);

/** Sleeps until `ns` of CLOCK_MONOTONIC; returns at once if that has passed. */
export function sleepUntil(ns: number): void {
  const seconds = Math.floor(ns / 1e9);
  request.writeUInt32LE(seconds % 4294967296, 0);
  request.writeUInt32LE(Math.floor(seconds / 4294967296), 4);
  request.writeUInt32LE(Math.floor(ns - seconds * 1e9), 8);
  libcNanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, request, null);
}
