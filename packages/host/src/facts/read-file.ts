import { readdir, readFile } from 'node:fs/promises';

/** Trimmed text of a small file; null where it is absent, unreadable or empty. */
export async function readText(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return text === '' ? null : text;
  } catch {
    // The kernel answers ENOENT, EACCES, EINVAL or ENODEV for what this machine does not have.
    return null;
  }
}

/** The whole number a small file holds; null where there is no file or something else in it. */
export async function readNumber(path: string): Promise<number | null> {
  return parseWholeNumber(await readText(path));
}

/** Names in a directory in numeric order (cpu2 before cpu10); empty where it cannot be listed. */
export async function readNames(path: string): Promise<readonly string[]> {
  try {
    const names = await readdir(path);
    return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  } catch {
    return [];
  }
}

/** A whole number written in decimal; null for anything else. */
export function parseWholeNumber(text: string | null): number | null {
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
}

/**
 * The chosen word of a kernel choice list: `always [madvise] never` is madvise. A single word without
 * brackets is a list of one. null for a list in which nothing is chosen.
 */
export function parseChoice(text: string | null): string | null {
  if (text === null) return null;
  const chosen = /\[([^\]]+)\]/.exec(text)?.[1];
  return chosen ?? (/\s/.test(text) ? null : text);
}

/** How many numbers a kernel list names: `0-3,8` is 5; null where the text is not such a list. */
export function countList(text: string | null): number | null {
  if (text === null) return null;
  let count = 0;
  for (const range of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(range);
    if (match === null) return null;
    count += Number(match[2] ?? match[1]) - Number(match[1]) + 1;
  }
  return count;
}

/** The different values in the order they first appear, joined by ", "; null where there is none. */
export function joinDistinct(values: Iterable<string | null>): string | null {
  const distinct = new Set<string>();
  for (const value of values) if (value !== null) distinct.add(value);
  return distinct.size === 0 ? null : [...distinct].join(', ');
}
