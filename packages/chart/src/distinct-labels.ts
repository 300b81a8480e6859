/**
 * The labels cut to about this many characters, different ones to different texts. What is cut out is the middle, or,
 * where labels would then look the same, what they have in common before their first difference; what is still the same
 * gets a number.
 */
export function distinctLabels(
  labels: readonly string[],
  length: number,
): ReadonlyMap<string, string> {
  const cut = new Map(labels.map((label) => [label, cutMiddle(label, length)]));
  for (const alike of sharing(cut)) {
    const from = commonStart(alike);
    for (const label of alike) cut.set(label, cutBefore(label, from, length));
  }
  return numbered(cut, length);
}

/** Labels with the same short text, together; not those that share theirs with none. */
function sharing(cut: ReadonlyMap<string, string>): string[][] {
  const byText = new Map<string, string[]>();
  for (const [label, text] of cut) byText.set(text, [...(byText.get(text) ?? []), label]);
  return [...byText.values()].filter((alike) => alike.length > 1);
}

/** Characters that all begin with. */
function commonStart(labels: readonly string[]): number {
  const [first = [], ...others] = labels.map((label) => [...label]);
  const different = first.findIndex((character, i) => others.some((one) => one[i] !== character));
  return different === -1 ? first.length : different;
}

/** A third of its beginning, and what comes from this character on. */
function cutBefore(label: string, from: number, length: number): string {
  const characters = [...label];
  if (characters.length <= length) return label;
  const head = Math.floor((length - 1) / 3);
  const start = Math.min(from, characters.length - (length - 1 - head));
  const rest = cutMiddle(characters.slice(start).join(''), length - 1 - head);
  return `${characters.slice(0, head).join('')}…${rest}`;
}

function cutMiddle(label: string, length: number): string {
  const characters = [...label];
  if (characters.length <= length) return label;
  const tail = Math.floor((length - 1) / 2);
  const end = tail === 0 ? [] : characters.slice(-tail);
  return `${characters.slice(0, Math.max(1, length - 1 - tail)).join('')}…${end.join('')}`;
}

/** Whole labels keep their text; of cut ones that look like another the later has a number at its end. */
function numbered(cut: ReadonlyMap<string, string>, length: number): ReadonlyMap<string, string> {
  const taken = new Set([...cut].filter(([label, text]) => label === text).map(([, text]) => text));
  const distinct = new Map<string, string>();
  for (const [label, text] of cut) {
    let own = text;
    for (let number = 2; label !== text && taken.has(own); number++) {
      const room = Math.max(1, length - 1 - String(number).length);
      own = `${[...text].slice(0, room).join('')}…${number}`;
    }
    taken.add(own);
    distinct.set(label, own);
  }
  return distinct;
}
