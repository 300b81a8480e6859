import type { Frame } from './frames.ts';
import type { Payload } from './payload.ts';

/** What the colours of the frames say. */
export type Colours = 'change' | 'kind';

/** Change of the share, relative to the larger one, from which on the colour is as deep as it gets. */
const FULL_CHANGE = 1;

/** Gives the element of a frame its colour. */
export function colourFrame(element: HTMLElement, frame: Frame, colours: Colours): void {
  if (colours === 'kind') element.classList.add(kindOf(frame));
  else element.style.background = changeColour(frame);
}

function kindOf({ name }: Frame): string {
  if (name.endsWith('_[k]')) return 'kernel';
  return name.startsWith('[') ? 'unknown' : 'user';
}

function changeColour({ now, base }: Frame): string {
  const larger = Math.max(now, base);
  const change = larger === 0 ? 0 : (now - base) / larger;
  const depth = Math.min(1, Math.abs(change) / FULL_CHANGE);
  const side = change > 0 ? '--more' : '--less';
  return `color-mix(in oklab, var(--same), rgb(var(${side})) ${Math.round(75 * depth)}%)`;
}

/** A frame in words. */
export function describeFrame(
  { name, now, self, base }: Frame,
  { samples, baseSamples }: Payload,
): string {
  const counted = `${name}: ${percent(now)} (${Math.round(now * samples)} of ${samples} samples), itself ${percent(self)}`;
  if (baseSamples === 0) return counted;
  const points = 100 * (now - base);
  return `${counted}; base ${percent(base)}, change ${points > 0 ? '+' : ''}${points.toFixed(2)} points`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
