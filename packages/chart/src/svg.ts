/** Attributes of an element; undefined ones are left out, numbers are rounded to a hundredth. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An SVG or HTML element as text. Children are markup, attribute values are not. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${attributeText(value as string | number)}"`);
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

function attributeText(value: string | number): string {
  return typeof value === 'number' ? String(round(value)) : escapeMarkup(value);
}

/** Two decimals are finer than a pixel of any screen. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that says the same inside markup or an attribute; what XML cannot hold becomes U+FFFD. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
    .replace(/[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/gu, '\uFFFD');
}

/** The text cut to about this many characters, its end replaced by an ellipsis. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  return `${characters.slice(0, Math.max(1, length - 1)).join('')}…`;
}
