/** Where the lines for a human go. */
export interface Terminal {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
}

/** Seconds between progress lines where they cannot be rewritten in place. */
const QUIET_SECONDS = 10;

/** Tells a human what is going on: lines that stay, and one that is rewritten while a step runs. */
export class Progress {
  readonly #terminal: Terminal;
  #open = false;
  #lastSecond = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** A line that stays. */
  line(text: string): void {
    this.#clear();
    this.#terminal.write(`${text}\n`);
    this.#lastSecond = 0;
  }

  /** The state of the step at `second`: rewritten in place, or a line now and then. */
  update(second: number, text: string): void {
    if (this.#terminal.isTTY) {
      this.#terminal.write(`\r\u001b[2K${text.slice(0, Math.max(20, this.#terminal.columns - 1))}`);
      this.#open = true;
    } else if (second - this.#lastSecond >= QUIET_SECONDS) {
      this.#lastSecond = second;
      this.#terminal.write(`${text}\n`);
    }
  }

  #clear(): void {
    if (!this.#open) return;
    this.#terminal.write('\r\u001b[2K');
    this.#open = false;
  }
}
