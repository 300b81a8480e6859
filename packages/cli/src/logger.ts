import path from 'node:path';
import { destination, type Logger, pino } from 'pino';

/** The log of a run: NDJSON in `run.log` in its folder, written at once so that a crash loses nothing. */
export function openRunLog(directory: string): Logger {
  return pino(
    { base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    destination({ dest: path.join(directory, 'run.log'), sync: true }),
  );
}
