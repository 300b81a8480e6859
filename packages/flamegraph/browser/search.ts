import { contains, type Frame, type ShareOf } from './frames.ts';

export type Matches = (name: string) => boolean;

/** What is looked for is no regular expression. */
export type Invalid = 'invalid';

/** Text is looked for as it is, /…/ as a regular expression, if it is one; null: nothing is looked for. */
export function matcher(text: string): Matches | Invalid | null {
  if (text === '') return null;
  const pattern = /^\/(.+?)\/?$/.exec(text)?.[1];
  if (pattern === undefined) return (name) => name.toLowerCase().includes(text.toLowerCase());
  try {
    const expression = new RegExp(pattern, 'i');
    return (name) => expression.test(name);
  } catch {
    return 'invalid';
  }
}

/** Share of what matches; a match within a match counts once. Parents come before their children. */
export function matchedShare(frames: readonly Frame[], shareOf: ShareOf, matches: Matches): number {
  let share = 0;
  let counted: Frame | null = null;
  for (const frame of frames) {
    if (!matches(frame.name) || (counted !== null && contains(counted, frame))) continue;
    counted = frame;
    share += shareOf(frame);
  }
  return share;
}
