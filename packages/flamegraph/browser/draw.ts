import { contains, type Frame, type ShareOf } from './frames.ts';

const ROW_PX = 17;
/** Frames narrower than this are not drawn, those narrower than the next have no text, pixels. */
const SMALLEST_PX = 0.6;
const TEXT_PX = 22;

/** How the frames are looked at. */
export interface View {
  /** The frame that is as wide as the box, with all above it; those below it are drawn in full width. */
  readonly zoomed: Frame;
  readonly shareOf: ShareOf;
  /** What a frame is called for those who do not see it. */
  readonly describe: (frame: Frame) => string;
  readonly colour: (element: HTMLElement, frame: Frame) => void;
}

/** Draws the frames that are wide enough to be seen; returns their elements by the frames' index. */
export function drawFrames(
  box: HTMLElement,
  frames: readonly Frame[],
  view: View,
): Map<number, HTMLElement> {
  const width = box.clientWidth || 1000;
  const { zoomed, shareOf } = view;
  const scale = shareOf(zoomed) > 0 ? 1 / shareOf(zoomed) : 0;
  const drawn = new Map<number, HTMLElement>();
  for (const frame of frames) {
    const isPassed = contains(frame, zoomed) && frame !== zoomed;
    if (!isPassed && !contains(zoomed, frame)) continue;
    const left = isPassed ? 0 : (frame.x - zoomed.x) * scale;
    const size = isPassed ? 1 : shareOf(frame) * scale;
    if (size * width < SMALLEST_PX) continue;
    const element = elementOf(frame, size * width >= TEXT_PX, view);
    if (isPassed) element.classList.add('passed');
    element.style.left = `${100 * left}%`;
    element.style.width = `${100 * size}%`;
    element.style.bottom = `${frame.depth * ROW_PX}px`;
    drawn.set(frame.index, element);
  }
  const depth = frames.reduce((most, frame) => Math.max(most, frame.depth), 0) + 1;
  box.style.height = `${depth * ROW_PX}px`;
  box.replaceChildren(...drawn.values());
  return drawn;
}

function elementOf(frame: Frame, hasText: boolean, { describe, colour }: View): HTMLElement {
  const element = document.createElement('div');
  element.dataset.frame = String(frame.index);
  element.tabIndex = -1;
  element.setAttribute('role', 'button');
  element.setAttribute('aria-label', describe(frame));
  if (hasText) element.textContent = frame.name;
  else element.classList.add('narrow');
  colour(element, frame);
  return element;
}
