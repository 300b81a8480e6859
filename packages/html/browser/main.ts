import { watchAddress } from './address.ts';
import { watchBoxes } from './boxes.ts';
import { watchControls } from './controls.ts';
import { watchKeyboard } from './keyboard.ts';
import { chartsOf, stepsOfPage } from './payload.ts';
import { watchPointer } from './pointer.ts';

watchControls();
watchAddress();
watchBoxes();
watchPointer();
watchKeyboard();
window.addEventListener('load', () => setTimeout(() => void unpackAll(), 400));

/** Step by step, so that the page answers in between; what is unpacked can be printed. */
async function unpackAll(): Promise<void> {
  for (const step of stepsOfPage()) await chartsOf(step);
  document.documentElement.dataset.ready = '';
}
