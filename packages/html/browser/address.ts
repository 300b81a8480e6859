import { change, current, onChange, type State } from './state.ts';

/** Before the name of a step: the seconds of it that are shown. */
const ZOOM = 'zoom.';

/** Keeps what the reader has chosen in the query of the address, so that a link shows the same view. */
export function watchAddress(): void {
  const usual = current();
  change(readQuery(new URLSearchParams(location.search)));
  onChange(() => {
    const address = new URL(location.href);
    address.search = queryOf(current(), usual).toString();
    try {
      history.replaceState(null, '', address);
    } catch {
      // A page in a frame of another may not: then there is no link, and all else works.
    }
  });
}

function readQuery(query: URLSearchParams): Partial<State> {
  const hidden = query.get('hidden');
  const ranges = [...query].flatMap(([name, value]) => {
    const [from, to] = value.split('-').map(Number);
    const isRange = from !== undefined && to !== undefined && from >= 0 && from < to;
    return name.startsWith(ZOOM) && isRange ? [[name.slice(ZOOM.length), [from, to]] as const] : [];
  });
  return {
    ...(hidden === null ? {} : { hidden: new Set(hidden.split('-').filter(Boolean).map(Number)) }),
    overlay: query.get('overlay') === '1',
    ranges: new Map(ranges),
  };
}

/** Only what is not as it was at first. */
function queryOf({ hidden, overlay, ranges }: State, usual: State): URLSearchParams {
  const query = new URLSearchParams();
  const rows = (set: ReadonlySet<number>): string => [...set].sort((a, b) => a - b).join('-');
  if (rows(hidden) !== rows(usual.hidden)) query.set('hidden', rows(hidden));
  if (overlay) query.set('overlay', '1');
  for (const [step, range] of ranges) {
    query.set(`${ZOOM}${step}`, range.map((second) => second.toFixed(1)).join('-'));
  }
  return query;
}
