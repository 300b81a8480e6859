import { humanTerminal } from './environment.ts';
import { Interrupted } from './run/context.ts';
import { Progress } from './run/progress.ts';

const INTERRUPTED = 130;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Until it is closed, its signal is aborted by the first SIGINT, SIGTERM or SIGHUP. */
export interface Interrupt {
  readonly signal: AbortSignal;
  close(): void;
}

/** An orderly end takes less; the machine's own pauses do not count, see `afterSeconds`. */
const STOPPING_S = 60;
/** What is left when the work has ended: connections to a server that does not answer. */
const LEAVING_S = 1;

/**
 * The first signal stops the work in order; more of them change nothing. An end that does not come is
 * not waited for: what is left then, the next run cleans up.
 *
 * @param doing what follows, in words
 */
export function listenForSignals(say: (text: string) => void, doing: string): Interrupt {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    const isFirst = !controller.signal.aborted;
    say(isFirst ? `${name}: ${doing}` : 'still stopping');
    controller.abort(new Interrupted(`interrupted by ${name}`));
    if (!isFirst) return;
    afterSeconds(STOPPING_S, () => {
      say(`not stopped within ${STOPPING_S} s: the next run cleans up`);
      process.exit(INTERRUPTED);
    });
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    close: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
      if (controller.signal.aborted) afterSeconds(LEAVING_S, () => process.exit(INTERRUPTED));
    },
  };
}

/** Runs long work with a display of its progress; an interrupt ends the program with exit code 130. */
export async function interruptible(
  work: (progress: Progress, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const progress = new Progress(humanTerminal());
  const interrupt = listenForSignals((text) => progress.line(text), 'stopping');
  try {
    await work(progress, interrupt.signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    progress.line(error.message);
    process.exitCode = INTERRUPTED;
  } finally {
    interrupt.close();
  }
}

/** In seconds in which the program could do something: it may have been stopped, or have removed much data. */
function afterSeconds(seconds: number, work: () => void): void {
  let left = seconds;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    work();
  }, 1000);
  timer.unref();
}
