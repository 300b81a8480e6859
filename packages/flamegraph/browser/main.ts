import { Flame } from './flame.ts';
import { unpackPayload } from './payload.ts';

/** In a closed part of the page a graph has no size; it is unpacked when it gets one. */
for (const graph of document.querySelectorAll<HTMLElement>('.flame')) {
  const observer = new ResizeObserver(async () => {
    if (!graph.checkVisibility()) return;
    observer.disconnect();
    new Flame(graph, await unpackPayload(graph));
  });
  observer.observe(graph);
}
