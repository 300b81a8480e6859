import { humanTerminal } from './environment.ts';
import { Interrupted } from './run/context.ts';
import { Progress } from './run/progress.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Until it is closed, its signal is aborted by the first SIGINT, SIGTERM or SIGHUP. */
export interface Interrupt {
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * The first signal stops the work in order; more of them change nothing, since the order is bounded.
 *
 * @param doing what follows, in words
 */
export function listenForSignals(say: (text: string) => void, doing: string): Interrupt {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    say(controller.signal.aborted ? 'still stopping' : `${name}: ${doing}`);
    controller.abort(new Interrupted(`interrupted by ${name}`));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    close: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}

const INTERRUPTED = 130;

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
