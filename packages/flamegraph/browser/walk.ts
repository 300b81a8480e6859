import type { Frame, ShareOf } from './frames.ts';

/** Where an arrow leads from a frame: up to its widest child, down to its parent, along the row of those drawn. */
export function neighbour(
  frame: Frame,
  key: string,
  { shareOf, row }: { readonly shareOf: ShareOf; readonly row: (depth: number) => Frame[] },
): Frame | undefined {
  switch (key) {
    case 'ArrowUp':
      return [...frame.children].sort((a, b) => shareOf(b) - shareOf(a))[0];
    case 'ArrowDown':
      return frame.parent ?? undefined;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const beside = row(frame.depth);
      return beside[beside.indexOf(frame) + (key === 'ArrowLeft' ? -1 : 1)];
    }
    default:
      return undefined;
  }
}
