/** A message in two parts: what to show, and what to look up, such as the end of a log. */
export interface MessageParts {
  readonly head: string;
  /** Empty: there is no more. */
  readonly rest: string;
}

/** Messages of so many lines are no logs. */
const FEW_LINES = 3;

/** A message of few lines as one; of others the first line, with the next where it only announces that, and the rest. */
export function messageParts(message: string): MessageParts {
  const lines = message.split('\n');
  const first = lines.findIndex((line) => !line.trimEnd().endsWith(':'));
  const end = lines.length <= FEW_LINES || first === -1 ? lines.length : first + 1;
  const head = lines.slice(0, end).map((line) => line.trim());
  return { head: head.join(' '), rest: lines.slice(end).join('\n') };
}

/** The head, and a sign where there is more. */
export function shortMessage(message: string): string {
  const { head, rest } = messageParts(message);
  return rest === '' ? head : `${head} …`;
}
