import { UsageError } from './errors.ts';

/** The tag of a run whose numbers are not comparable with others, because of these marks. */
export function brandTag(tag: string, marks: readonly string[]): string {
  return marks.length === 0 ? tag : `${tag} [${marks.join(', ')}]`;
}

const BRAND = / \[([^\]]*)\]$/;

/** The tag as it was given, without its marks. */
export function plainTag(tag: string): string {
  return tag.replace(BRAND, '');
}

/** The marks of a tag. */
export function marksOf(tag: string): string[] {
  return BRAND.exec(tag)?.[1]?.split(', ') ?? [];
}

/**
 * Which of the tags is meant by a name: that tag itself, else the only one that is this name with marks.
 *
 * @returns null when none is meant
 * @throws UsageError when several are the name with marks, and none is without
 */
export function resolveTag(name: string, tags: readonly string[]): string | null {
  if (tags.includes(name)) return name;
  const branded = [...new Set(tags)].filter((tag) => plainTag(tag) === name);
  if (branded.length <= 1) return branded[0] ?? null;
  const known = branded.map((tag) => `"${tag}"`).join(', ');
  throw new UsageError(
    `tag ${name} is that of runs that are not comparable; expected one of ${known}`,
  );
}
