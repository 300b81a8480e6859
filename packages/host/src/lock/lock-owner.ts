import net from 'node:net';

/** Who runs benchmarks on this host, in the words of that process. */
export interface LockOwner {
  readonly pid: number;
  readonly user: string;
  readonly command: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** Where its results go. */
  readonly store: string;
}

/** A runner answers at once, whatever it is doing; one that is stopped (SIGSTOP) does not. */
const ANSWER_MS = 2000;
const MAX_ANSWER = 32 * 1024;

/** Asks the process that holds a lock who it is; null: it does not say, or has gone. */
export async function askOwner(name: string): Promise<LockOwner | null> {
  try {
    return toOwner(JSON.parse(await readAnswer(name)));
  } catch {
    return null;
  }
}

/** The owner in one line; what another process said is printed without its control characters. */
export function describeOwner(owner: LockOwner | null): string {
  if (owner === null) return 'one that does not say who it is (stopped, perhaps)';
  const { pid, user, command, since, store } = owner;
  const text = `pid ${pid} of ${user}, since ${since}: ibench ${command} (results in ${store})`;
  return text.replaceAll(/\p{Cc}/gu, '?');
}

/** What answered may be any program: null unless it says what a runner says. */
function toOwner(answer: Partial<Record<keyof LockOwner, unknown>> | null): LockOwner | null {
  const { pid, user, command, since, store } = answer ?? {};
  const texts = [user, command, since, store];
  if (typeof pid !== 'number' || !texts.every((text) => typeof text === 'string')) return null;
  return { pid, user, command, since, store } as LockOwner;
}

function readAnswer(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(name);
    socket.setEncoding('utf8');
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), ANSWER_MS);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > MAX_ANSWER) socket.destroy(new Error('not a runner'));
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new Error('closed'));
    });
  });
}
