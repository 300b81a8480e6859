import { createHash } from 'node:crypto';
import type { BranchPoint, Workload } from '@ibench/core';
import type { Build, ServerConfig } from '@ibench/host';
import { settingOf } from '../setting-of.ts';

/**
 * Settings that shape what is on disk after a load, beside the build and initdb's options; all others only
 * decide how the server works with it, and may differ between runs that start from the same data.
 */
const ON_DISK = [
  'default_table_access_method',
  'default_tablespace',
  'default_toast_compression',
  'track_commit_timestamp',
  'wal_level',
  'wal_log_hints',
] as const;

/** What the data after a branch point depends on, as one checksum. */
export function branchKey(
  after: BranchPoint | null,
  parts: { readonly build: Build; readonly config: ServerConfig; readonly workload: Workload },
): string {
  const { build, config, workload } = parts;
  const settings = ON_DISK.map((name) => [name, settingOf(config, name)]);
  const text = JSON.stringify([after, build.fingerprint.digest, workload, settings]);
  return createHash('sha256').update(text).digest('hex');
}
