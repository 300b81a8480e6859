import { Flame } from './flame.ts';
import { unpackPayload } from './payload.ts';
import { watchSearchKey } from './search-key.ts';

/** A graph in a closed part of the page has no size, which is told of first when it gets one: then it is unpacked. */
for (const graph of document.querySelectorAll<HTMLElement>('.flame')) {
  const observer = new ResizeObserver(async () => {
    observer.disconnect();
    new Flame(graph, await unpackPayload(graph));
  });
  observer.observe(graph);
}
watchSearchKey();
