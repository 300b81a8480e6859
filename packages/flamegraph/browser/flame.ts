import { drawFrames } from './draw.ts';
import { type Frame, layOut, readFrames, type ShareOf } from './frames.ts';
import { type Colours, colourFrame, describeFrame, percent } from './look.ts';
import type { Payload } from './payload.ts';
import { type Invalid, type Matches, matchedShare, matcher } from './search.ts';
import { neighbour } from './walk.ts';

/** A graph of the page: what its reader has zoomed into and searched for, and its controls. */
export class Flame {
  readonly #graph: HTMLElement;
  readonly #payload: Payload;
  readonly #frames: readonly Frame[];
  #drawn: ReadonlyMap<number, HTMLElement> = new Map();
  #zoomed: Frame;
  #shareOf: ShareOf = ({ now }) => now;
  #colours: Colours;
  #sought: Matches | Invalid | null = null;
  #width = 0;

  constructor(graph: HTMLElement, payload: Payload) {
    this.#graph = graph;
    this.#payload = payload;
    this.#frames = readFrames(payload);
    this.#zoomed = this.#frames[0] as Frame;
    this.#colours = payload.baseSamples === 0 ? 'kind' : 'change';
    layOut(this.#frames, this.#shareOf);
    this.#listenToFrames();
    this.#listenToControls();
    new ResizeObserver(() => {
      // What is read out changes the height: drawing then would take the focus away.
      if (graph.clientWidth !== this.#width) this.#draw();
      this.#width = graph.clientWidth;
    }).observe(graph);
  }

  #part<T extends HTMLElement>(selector: string): T {
    return this.#graph.querySelector(selector) as T;
  }

  #draw(): void {
    this.#drawn = drawFrames(this.#part('.flame-frames'), this.#frames, {
      zoomed: this.#zoomed,
      shareOf: this.#shareOf,
      describe: (frame) => describeFrame(frame, this.#payload),
      colour: (element, frame) => colourFrame(element, frame, this.#colours),
    });
    this.#drawn.get(this.#zoomed.index)?.setAttribute('tabindex', '0');
    this.#part<HTMLButtonElement>('.flame-reset').disabled = this.#zoomed.parent === null;
    this.#mark();
  }

  /** What was searched for is outlined, and its share told. */
  #mark(): void {
    const sought = this.#sought;
    const matches = sought === 'invalid' ? null : sought;
    for (const [index, element] of this.#drawn) {
      const isFound = matches?.((this.#frames[index] as Frame).name) === true;
      element.classList.toggle('found', isFound);
      element.classList.toggle('dim', matches !== null && !isFound);
    }
    const share = matches === null ? null : matchedShare(this.#frames, this.#shareOf, matches);
    const told = share === null ? '' : `${percent(share)} matched`;
    this.#part('.flame-matched').textContent =
      sought === 'invalid' ? 'not a valid expression' : told;
  }

  #search(sought: Matches | Invalid | null): void {
    this.#sought = sought;
    this.#mark();
  }

  #zoom(frame: Frame): void {
    this.#zoomed = frame;
    this.#draw();
    this.#focus(frame);
  }

  #focus(frame: Frame | undefined): void {
    const element = frame && this.#drawn.get(frame.index);
    if (!element) return;
    for (const one of this.#drawn.values()) one.tabIndex = -1;
    element.tabIndex = 0;
    element.focus({ preventScroll: false });
  }

  #frameAt({ target }: Event): Frame | undefined {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-frame]') : null;
    return element === null ? undefined : this.#frames[Number(element.dataset.frame)];
  }

  #listenToFrames(): void {
    const box = this.#part('.flame-frames');
    const tell = (event: Event): void => {
      const frame = this.#frameAt(event);
      if (frame === undefined) return;
      this.#part('.flame-readout').textContent = describeFrame(frame, this.#payload);
    };
    box.addEventListener('pointerover', tell);
    box.addEventListener('focusin', tell);
    box.addEventListener('click', (event) => {
      const frame = this.#frameAt(event);
      if (frame !== undefined) this.#zoom(frame);
    });
    box.addEventListener('keydown', (event) => {
      const frame = this.#frameAt(event);
      if (frame !== undefined && this.#press(frame, event.key)) event.preventDefault();
    });
  }

  /** Has the key a meaning here? */
  #press(frame: Frame, key: string): boolean {
    if (key === 'Enter' || key === ' ') this.#zoom(frame);
    else if (key === 'Escape') this.#zoom(this.#zoomed.parent ?? this.#zoomed);
    else if (key.startsWith('Arrow')) {
      const row = (depth: number): Frame[] =>
        this.#frames.filter((one) => one.depth === depth && this.#drawn.has(one.index));
      this.#focus(neighbour(frame, key, { shareOf: this.#shareOf, row }));
    } else return false;
    return true;
  }

  #listenToControls(): void {
    const search = this.#part<HTMLInputElement>('.flame-search');
    search.addEventListener('input', () => this.#search(matcher(search.value.trim())));
    this.#part('.flame-reset').addEventListener('click', () =>
      this.#zoom(this.#frames[0] as Frame),
    );
    this.#choice('.flame-widths', (value) => {
      this.#shareOf = value === 'base' ? ({ base }) => base : ({ now }) => now;
      layOut(this.#frames, this.#shareOf);
    });
    this.#choice('.flame-colours', (value) => {
      this.#colours = value === 'kind' ? 'kind' : 'change';
    });
    this.#graph.addEventListener('click', ({ target }) => {
      if (!(target instanceof HTMLElement) || target.dataset.find === undefined) return;
      const name = target.textContent ?? '';
      search.value = name;
      this.#search((one) => one === name);
      this.#part('.flame-frames').scrollIntoView({ block: 'nearest' });
    });
  }

  /** A choice that only graphs with a base have. */
  #choice(selector: string, choose: (value: string) => void): void {
    const select = this.#graph.querySelector<HTMLSelectElement>(selector);
    select?.addEventListener('change', () => {
      choose(select.value);
      this.#draw();
    });
  }
}
