import type { WalDelta } from '@ibench/core';
import type { WalCounters } from '@ibench/host';

/** What was written to the WAL between two readings; null where the version does not count it. */
export function walDelta(before: WalCounters, after: WalCounters): WalDelta {
  const images =
    before.fullPageImages === null || after.fullPageImages === null
      ? null
      : after.fullPageImages - before.fullPageImages;
  return { walBytes: after.bytes - before.bytes, fullPageImages: images };
}
