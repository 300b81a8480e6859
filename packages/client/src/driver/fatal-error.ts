/** An error after which the server closes the connection. */
export interface FatalError {
  readonly sqlstate: string;
  readonly message: string;
}

const ERROR_RESPONSE = 'E'.charCodeAt(0);
const HEADER_BYTES = 5;

/**
 * Finds an error of severity FATAL or PANIC in bytes from the server, which begin with a message
 * (PostgreSQL's protocol 3: a letter, the length without it, the rest).
 *
 * @returns null: there is none
 */
export function fatalErrorIn(bytes: Buffer): FatalError | null {
  for (let at = 0; at + HEADER_BYTES <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] !== ERROR_RESPONSE) continue;
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    const fields = bytes.toString('utf8', at + HEADER_BYTES, end).split('\0');
    const field = (letter: string): string | undefined =>
      fields.find((text) => text.startsWith(letter))?.slice(1);
    const [severity, sqlstate, message] = [field('V'), field('C'), field('M')];
    const isFatal = severity === 'FATAL' || severity === 'PANIC';
    if (isFatal && sqlstate !== undefined && message !== undefined) return { sqlstate, message };
  }
  return null;
}
