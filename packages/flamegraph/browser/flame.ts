// One file without imports: it is put into pages as it is compiled.

/** See src/payload.ts. */
interface Payload {
  readonly samples: number;
  readonly baseSamples: number;
  readonly names: readonly string[];
  readonly frames: readonly number[];
}

interface Frame {
  readonly index: number;
  readonly name: string;
  readonly depth: number;
  /** Shares of all samples, 0 to 1. */
  readonly now: number;
  readonly self: number;
  readonly base: number;
  readonly parent: Frame | null;
  readonly children: Frame[];
  /** Left edge, as a share of the whole width. */
  x: number;
}

const ROW_PX = 17;
/** Frames narrower than this are not drawn, those narrower than the next have no text, pixels. */
const SMALLEST_PX = 0.6;
const TEXT_PX = 22;
/** Change of the share, relative to the larger one, from which on the colour is as deep as it gets. */
const FULL_CHANGE = 1;

class Flame {
  readonly #root: HTMLElement;
  readonly #payload: Payload;
  readonly #frames: readonly Frame[];
  readonly #depth: number;
  readonly #drawn = new Map<number, HTMLElement>();
  #zoomed: Frame;
  #byBase = false;
  #matches: ((name: string) => boolean) | null = null;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#payload = JSON.parse(this.#part('.flame-data').textContent ?? '') as Payload;
    this.#frames = readFrames(this.#payload);
    this.#zoomed = this.#frames[0] as Frame;
    this.#depth = this.#frames.reduce((most, { depth }) => Math.max(most, depth), 0) + 1;
    this.#listen();
    this.#lay();
    this.#draw();
  }

  #part<T extends HTMLElement>(selector: string): T {
    return this.#root.querySelector(selector) as T;
  }

  #share(frame: Frame): number {
    return this.#byBase ? frame.base : frame.now;
  }

  /** Children stand side by side over their parent, whose own samples are the gap at the right. */
  #lay(): void {
    const edge = new Map<Frame, number>();
    for (const frame of this.#frames) {
      const { parent } = frame;
      frame.x = parent === null ? 0 : (edge.get(parent) ?? parent.x);
      if (parent !== null) edge.set(parent, frame.x + this.#share(frame));
    }
  }

  #draw(): void {
    const box = this.#part('.flame-frames');
    const width = box.clientWidth || 1000;
    const zoomed = this.#zoomed;
    const scale = this.#share(zoomed) > 0 ? 1 / this.#share(zoomed) : 0;
    box.style.height = `${this.#depth * ROW_PX}px`;
    this.#drawn.clear();
    const elements: HTMLElement[] = [];
    for (const frame of this.#frames) {
      const isPassed = contains(frame, zoomed) && frame !== zoomed;
      if (!isPassed && !contains(zoomed, frame)) continue;
      const left = isPassed ? 0 : (frame.x - zoomed.x) * scale;
      const size = isPassed ? 1 : this.#share(frame) * scale;
      if (size * width < SMALLEST_PX) continue;
      const element = this.#element(frame, size * width >= TEXT_PX, isPassed);
      element.style.left = `${100 * left}%`;
      element.style.width = `${100 * size}%`;
      element.style.bottom = `${frame.depth * ROW_PX}px`;
      this.#drawn.set(frame.index, element);
      elements.push(element);
    }
    box.replaceChildren(...elements);
    this.#drawn.get(zoomed.index)?.setAttribute('tabindex', '0');
    this.#part<HTMLButtonElement>('.flame-reset').disabled = zoomed.parent === null;
    this.#mark();
  }

  #element(frame: Frame, hasText: boolean, isPassed: boolean): HTMLElement {
    const element = document.createElement('div');
    element.dataset.frame = String(frame.index);
    element.tabIndex = -1;
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', this.#describe(frame));
    if (hasText) element.textContent = frame.name;
    else element.classList.add('narrow');
    if (isPassed) element.classList.add('passed');
    if (this.#payload.baseSamples === 0) element.classList.add(kindOf(frame));
    else element.style.background = changeColour(frame);
    return element;
  }

  #describe({ name, now, self, base }: Frame): string {
    const { samples, baseSamples } = this.#payload;
    const counted = `${name}: ${percent(now)} (${Math.round(now * samples)} of ${samples} samples), itself ${percent(self)}`;
    if (baseSamples === 0) return counted;
    const points = 100 * (now - base);
    return `${counted}; base ${percent(base)}, change ${points > 0 ? '+' : ''}${points.toFixed(2)} points`;
  }

  /** What was searched for is outlined, and its share told: a match within a match counts once. */
  #mark(): void {
    const matches = this.#matches;
    let share = 0;
    let skipped: Frame | null = null;
    for (const frame of this.#frames) {
      const isFound = matches?.(frame.name) === true;
      if (isFound && (skipped === null || !contains(skipped, frame))) {
        skipped = frame;
        share += this.#share(frame);
      }
      const element = this.#drawn.get(frame.index);
      element?.classList.toggle('found', isFound);
      element?.classList.toggle('dim', matches !== null && !isFound);
    }
    this.#part('.flame-matched').textContent = matches === null ? '' : `${percent(share)} matched`;
  }

  #zoom(frame: Frame): void {
    this.#zoomed = frame;
    this.#draw();
    this.#focus(frame);
  }

  #focus(frame: Frame | undefined | null): void {
    const element = frame && this.#drawn.get(frame.index);
    if (!element) return;
    for (const one of this.#drawn.values()) one.tabIndex = -1;
    element.tabIndex = 0;
    element.focus({ preventScroll: false });
  }

  #search(text: string): void {
    this.#matches = matcher(text.trim());
    this.#mark();
  }

  #frameAt(target: EventTarget | null): Frame | undefined {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-frame]') : null;
    return element === null ? undefined : this.#frames[Number(element.dataset.frame)];
  }

  #listen(): void {
    const box = this.#part('.flame-frames');
    const search = this.#part<HTMLInputElement>('.flame-search');
    const tell = (event: Event): void => {
      const frame = this.#frameAt(event.target);
      if (frame !== undefined) this.#part('.flame-readout').textContent = this.#describe(frame);
    };
    box.addEventListener('pointerover', tell);
    box.addEventListener('focusin', tell);
    box.addEventListener('click', (event) => {
      const frame = this.#frameAt(event.target);
      if (frame !== undefined) this.#zoom(frame);
    });
    box.addEventListener('keydown', (event) => this.#press(event));
    search.addEventListener('input', () => this.#search(search.value));
    this.#part('.flame-reset').addEventListener('click', () =>
      this.#zoom(this.#frames[0] as Frame),
    );
    this.#root
      .querySelector<HTMLSelectElement>('.flame-widths')
      ?.addEventListener('change', (event) => {
        this.#byBase = (event.target as HTMLSelectElement).value === 'base';
        this.#lay();
        this.#draw();
      });
    this.#root.addEventListener('click', (event) => {
      const name = event.target instanceof HTMLElement ? event.target.dataset.find : undefined;
      if (name === undefined) return;
      search.value = name;
      this.#matches = (one) => one === name;
      this.#mark();
      box.scrollIntoView({ block: 'nearest' });
    });
    this.#root.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target === search) return;
      event.preventDefault();
      search.focus();
    });
    new ResizeObserver(() => this.#draw()).observe(this.#root);
  }

  #press(event: KeyboardEvent): void {
    const frame = this.#frameAt(event.target);
    if (frame === undefined) return;
    const action = this.#actions(frame)[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  #actions(frame: Frame): Readonly<Record<string, () => void>> {
    const zoom = (): void => this.#zoom(frame);
    return {
      Enter: zoom,
      ' ': zoom,
      Escape: () => this.#zoom(this.#zoomed.parent ?? this.#zoomed),
      ArrowUp: () => this.#focus(this.#widest(frame.children)),
      ArrowDown: () => this.#focus(frame.parent),
      ArrowLeft: () => this.#focus(this.#beside(frame, -1)),
      ArrowRight: () => this.#focus(this.#beside(frame, 1)),
    };
  }

  #widest(frames: readonly Frame[]): Frame | undefined {
    return [...frames].sort((a, b) => this.#share(b) - this.#share(a))[0];
  }

  /** The next frame that is drawn in the same row. */
  #beside(frame: Frame, direction: 1 | -1): Frame | undefined {
    const row = this.#frames.filter(
      ({ depth, index }) => depth === frame.depth && this.#drawn.has(index),
    );
    return row[row.indexOf(frame) + direction];
  }
}

function readFrames({ samples, baseSamples, names, frames }: Payload): Frame[] {
  const all: Frame[] = [];
  const path: Frame[] = [];
  for (let i = 0; i < frames.length; i += 5) {
    const [name = 0, depth = 0, total = 0, self = 0, base = 0] = frames.slice(i, i + 5);
    const parent = depth === 0 ? null : (path[depth - 1] as Frame);
    const frame: Frame = {
      index: all.length,
      name: names[name] ?? '',
      depth,
      now: samples === 0 ? 0 : total / samples,
      self: samples === 0 ? 0 : self / samples,
      base: baseSamples === 0 ? 0 : base / baseSamples,
      parent,
      children: [],
      x: 0,
    };
    parent?.children.push(frame);
    path[depth] = frame;
    all.push(frame);
  }
  return all;
}

/** Is the other frame this one, or above it? */
function contains(frame: Frame, other: Frame): boolean {
  let one: Frame | null = other;
  while (one !== null && one.depth > frame.depth) one = one.parent;
  return one === frame;
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

/** Text is looked for as it is, /…/ as a regular expression; null: nothing is looked for. */
function matcher(text: string): ((name: string) => boolean) | null {
  if (text === '') return null;
  const pattern = /^\/(.+?)\/?$/.exec(text)?.[1];
  if (pattern === undefined) return (name) => name.toLowerCase().includes(text.toLowerCase());
  try {
    const expression = new RegExp(pattern, 'i');
    return (name) => expression.test(name);
  } catch {
    return () => false;
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

for (const root of document.querySelectorAll<HTMLElement>('.flame')) new Flame(root);
