import fs from 'node:fs';
import { UsageError } from '@ibench/core';

/**
 * Text of a file that the user named.
 *
 * @param what what it should be, for the message
 * @throws UsageError for a folder, or a file that cannot be read
 */
export function readText(file: string, what: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'EISDIR' ? 'this is a folder' : message;
    throw new UsageError(`${what} ${file}: expected a file that can be read: ${why}`, { cause });
  }
}
