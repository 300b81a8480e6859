import { hostname, machine, release } from 'node:os';
import { runTool, type ToolRun } from './run-tool.ts';

/** Where facts are read from: this machine, or a tree of files in a test. */
export interface HostSource {
  /** Roots of the kernel's file systems and of the system configuration. */
  readonly proc: string;
  readonly sys: string;
  readonly etc: string;
  readonly uname: {
    readonly hostname: string;
    readonly kernel: string;
    readonly machine: string;
  };
  readonly nodeVersion: string;
  readonly run: (command: string, args: readonly string[]) => Promise<ToolRun>;
}

/** The machine this process runs on. */
export function thisHost(): HostSource {
  return {
    proc: '/proc',
    sys: '/sys',
    etc: '/etc',
    uname: { hostname: hostname(), kernel: release(), machine: machine() },
    nodeVersion: process.version,
    run: runTool,
  };
}
