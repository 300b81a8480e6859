import type { ToolRun } from '../facts/index.ts';
import { bad, type DoctorFinding, ok, unknown, warn } from './finding.ts';

const NODE_MAJOR = 20;

/** Version of Node as `process.version` writes it. */
export function judgeNode(version: string): DoctorFinding {
  const check = 'node';
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  if (major >= NODE_MAJOR) return ok(check, version);
  return bad(check, version, `Install Node ${NODE_MAJOR} or newer from https://nodejs.org.`);
}

/** Answer of `vmstat -V`. */
export function judgeVmstat(run: ToolRun): DoctorFinding {
  const advice =
    'sudo apt-get install procps (Debian, Ubuntu), sudo dnf install procps-ng (Red Hat).';
  return judgePresent('vmstat', run, advice);
}

/** Answer of `iostat -V`. */
export function judgeIostat(run: ToolRun): DoctorFinding {
  const advice =
    'sudo apt-get install sysstat, or sudo dnf install sysstat; until then the series comes from /proc/diskstats.';
  return judgePresent('iostat', run, advice);
}

/** What perf needs; `run` is the answer of `perf stat -x ';' -e instructions true`, null: perf does not run. */
export interface PerfReading {
  readonly version: ToolRun;
  readonly stat: ToolRun | null;
  /** kernel.perf_event_paranoid; null: the kernel has no perf events. */
  readonly paranoid: number | null;
  readonly root: boolean;
}

/** Can a profile with kernel stacks be taken? */
export function judgePerf({ version, paranoid, root }: PerfReading): DoctorFinding {
  const check = 'perf';
  if (version.kind === 'missing') {
    return warn(
      check,
      'not installed: no flame graphs, no hardware counters',
      'sudo apt-get install linux-perf (Debian), linux-tools-$(uname -r) (Ubuntu), or sudo dnf install perf.',
    );
  }
  if (version.kind === 'failed' || version.exitCode !== 0) {
    return warn(
      check,
      `does not run: ${describeFailure(version)}`,
      'Install the perf of this kernel: linux-perf (Debian), linux-tools-$(uname -r) (Ubuntu), perf (Red Hat).',
    );
  }
  const name = version.stdout.trim();
  if (paranoid === null)
    return unknown(check, `${name}; kernel.perf_event_paranoid is not readable`);
  const found = `${name}, kernel.perf_event_paranoid = ${paranoid}${root ? ', root' : ''}`;
  if (root || paranoid <= 1) return ok(check, found);
  return warn(
    check,
    `${found}: profiles without kernel stacks, or none`,
    'sudo sysctl kernel.perf_event_paranoid=1',
  );
}

/** Does the CPU count instructions for us? */
export function judgeCounters({ stat }: PerfReading): DoctorFinding {
  const check = 'hardware counters';
  if (stat === null || stat.kind === 'missing')
    return unknown(check, 'perf is not installed or does not run');
  if (stat.kind === 'failed' || stat.exitCode !== 0) {
    return warn(
      check,
      `perf stat failed: ${describeFailure(stat)}`,
      'sudo sysctl kernel.perf_event_paranoid=1; in a container, allow perf_event_open (CAP_PERFMON).',
    );
  }
  // One line on stderr: value;unit;event;…
  const value = /^([^;\n]*);[^;\n]*;instructions/m.exec(stat.stderr)?.[1];
  if (value !== undefined && /^\d+$/.test(value)) return ok(check, 'instructions are counted');
  if (value === '<not supported>') {
    return warn(
      check,
      'not supported by this CPU, or hidden from this virtual machine',
      'Profile with the cpu-clock event, or give the machine a virtual PMU.',
    );
  }
  return unknown(check, `perf stat answered ${value ?? 'in a way that is not understood'}`);
}

function judgePresent(check: string, run: ToolRun, advice: string): DoctorFinding {
  if (run.kind === 'missing') return warn(check, 'not installed', advice);
  if (run.kind === 'failed' || run.exitCode !== 0) {
    return warn(check, `does not run: ${describeFailure(run)}`, advice);
  }
  return ok(check, firstLine(run.stdout) ?? firstLine(run.stderr) ?? 'present');
}

function describeFailure(run: Exclude<ToolRun, { kind: 'missing' }>): string {
  if (run.kind === 'failed') return run.reason;
  return firstLine(run.stderr) ?? firstLine(run.stdout) ?? `exit code ${run.exitCode}`;
}

function firstLine(text: string): string | null {
  const line = text.trim().split('\n')[0]?.trim();
  return line === undefined || line === '' ? null : line;
}
