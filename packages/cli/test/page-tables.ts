/** A cell of a table in a page. */
export interface PageCell {
  readonly text: string;
  /** The number at full precision; null for words. */
  readonly value: string | null;
  readonly classes: readonly string[];
}

/** A table as it is in a page. */
export interface PageTable {
  /** Anchor of its section. */
  readonly id: string;
  /** Empty, as the rows, where the table is its note. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly PageCell[])[];
}

/** All tables of a page that come from the tables of the report. Reads the markup this tool writes, no other. */
export function pageTables(html: string): PageTable[] {
  const sections = html.matchAll(/<section class="table" id="([^"]*)">(.*?)<\/section>/gs);
  return [...sections].map(([, id, content]) => ({
    id: plain(id!),
    head: [...content!.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, cell]) =>
      textOf(cell!),
    ),
    rows: [...(content!.split('<tbody>')[1] ?? '').matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(
      ([, row]) =>
        [...row!.matchAll(/<t[hd]( [^>]*?)?(?:\/>|>(.*?)<\/t[hd]>)/gs)].map(
          ([, attributes, cell]) => ({
            text: textOf(cell ?? ''),
            value: /<data value="([^"]*)"/.exec(cell ?? '')?.[1] ?? null,
            classes: (/class="([^"]*)"/.exec(attributes ?? '')?.[1] ?? '')
              .split(' ')
              .filter(Boolean),
          }),
        ),
    ),
  }));
}

function textOf(markup: string): string {
  return plain(markup.replace(/<[^>]*>/g, ''));
}

function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
