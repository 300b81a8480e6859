import type { Logger } from 'pino';

/** The log of a run as its steps write it. */
export type RunLog = Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>;

/** A log that cannot be written, on a full disk for one, must not be what ends a run or its clean-up. */
export function tolerantLog(log: Logger): RunLog {
  const write =
    (level: keyof RunLog) =>
    (fields: object, text: string): void => {
      try {
        log[level](fields, text);
      } catch {
        // There is no place left to tell it.
      }
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}
