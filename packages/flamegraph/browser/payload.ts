/** See src/payload.ts. */
export interface Payload {
  readonly samples: number;
  readonly baseSamples: number;
  readonly names: readonly string[];
  readonly frames: readonly number[];
}

/** What a graph of the page is drawn from. */
export async function unpackPayload(graph: HTMLElement): Promise<Payload> {
  const base64 = graph.querySelector('.flame-data')?.textContent ?? '';
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as Payload;
}
