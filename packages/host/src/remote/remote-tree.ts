import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { HostSource, ToolRun } from '../facts/index.ts';
import { inTemporaryDirectory } from '../temporary-directory.ts';
import { quote, type RemoteShell } from './remote-shell.ts';

/** The small files that facts are read from (host/facts), as patterns for the shell. */
const FILES = [
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/self/mountinfo',
  '/proc/sys/vm/dirty_*',
  '/proc/sys/vm/swappiness',
  '/etc/os-release',
  '/sys/class/dmi/id/sys_vendor',
  '/sys/class/dmi/id/product_name',
  '/sys/hypervisor/type',
  '/sys/kernel/mm/transparent_hugepage/enabled',
  '/sys/devices/system/cpu/online',
  '/sys/devices/system/cpu/smt/active',
  '/sys/devices/system/cpu/intel_pstate/no_turbo',
  '/sys/devices/system/cpu/cpufreq/boost',
  '/sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id',
  '/sys/devices/system/cpu/cpu[0-9]*/topology/core_cpus_list',
  '/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list',
  '/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_driver',
  '/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor',
  '/sys/devices/system/cpu/cpu[0-9]*/cpufreq/energy_performance_preference',
  '/sys/devices/system/cpu/cpu[0-9]*/cpufreq/cpuinfo_max_freq',
  '/sys/devices/system/node/online',
  '/sys/devices/system/clocksource/clocksource0/current_clocksource',
  '/sys/block/*/dev',
  '/sys/block/*/size',
  '/sys/block/*/*/dev',
  '/sys/block/*/dm/name',
  '/sys/block/*/slaves/*/dev',
  '/sys/block/*/device/model',
  '/sys/block/*/queue/scheduler',
  '/sys/block/*/queue/read_ahead_kb',
  '/sys/block/*/queue/rotational',
  '/sys/block/*/queue/write_cache',
];

const LIMIT_MS = 60_000;

/**
 * Copies the files that facts are read from into a temporary directory, in one round trip, and hands
 * their source to `work`; the directory is removed afterwards.
 */
export async function withRemoteSource<T>(
  shell: RemoteShell,
  work: (source: HostSource) => Promise<T>,
): Promise<T> {
  const mark = `--${randomUUID()}--`;
  const copy = `for f in ${FILES.join(' ')}; do [ -f "$f" ] && printf '\\n${mark} %s\\n' "$f" && cat "$f"; done; :`;
  const [files, ...names] = await shell.run([copy, 'uname -n', 'uname -r', 'uname -m'], LIMIT_MS);
  const [hostname, kernel, machine] = names.map(({ text }) => text.trim());
  return inTemporaryDirectory('remote', async (root) => {
    unpack(files?.text ?? '', mark, root);
    return await work({
      proc: path.join(root, 'proc'),
      sys: path.join(root, 'sys'),
      etc: path.join(root, 'etc'),
      uname: { hostname: hostname ?? '', kernel: kernel ?? '', machine: machine ?? '' },
      nodeVersion: process.version,
      run: (command, args) => runThere(shell, [command, ...args]),
    });
  });
}

function unpack(text: string, mark: string, root: string): void {
  const [, ...parts] = text.split(new RegExp(`\\n${mark} (.+)\\n`));
  for (let i = 0; i + 1 < parts.length; i += 2) {
    // Resolved from the root first, so that no name leads out of the directory.
    const file = path.join(root, path.resolve('/', parts[i] as string));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, parts[i + 1] as string);
  }
}

async function runThere(shell: RemoteShell, words: readonly string[]): Promise<ToolRun> {
  const [answer] = await shell.run([words.map(quote).join(' ')]);
  if (answer === undefined || answer.status === 127) return { kind: 'missing' };
  return { kind: 'ended', exitCode: answer.status, stdout: answer.text, stderr: '' };
}
