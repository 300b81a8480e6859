const PAIR = /\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^'\\\s]|\\.)+))(?=\s|$)/gsy;

/**
 * Reads a libpq connection string of the form `name='value' …`, as libpq does.
 *
 * @throws Error for anything else
 */
export function parseConninfo(conninfo: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  let end = 0;
  for (const match of conninfo.matchAll(PAIR)) {
    const [whole, name, quoted, bare] = match;
    pairs.set(name as string, (quoted ?? bare ?? '').replaceAll(/\\(.)/gs, '$1'));
    end = match.index + whole.length;
  }
  if (conninfo.slice(end).trim() !== '') {
    // The value may be a password: only its place is told.
    throw new Error(`the connection string is not of the form name='value' from byte ${end} on`);
  }
  return pairs;
}
