const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** An abort signal for the first of the signals that end a program; later ones change nothing. */
export function listenForSignals(say) {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      say(controller.signal.aborted ? 'still stopping' : `${name}: stopping the server`);
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  return controller.signal;
}

/** The promise, or the abort's reason as soon as there is one. */
export async function orAborted(promise, signal) {
  signal.throwIfAborted();
  let listener;
  const aborted = new Promise((_, reject) => {
    listener = () => reject(signal.reason);
    signal.addEventListener('abort', listener);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', listener);
  }
}
