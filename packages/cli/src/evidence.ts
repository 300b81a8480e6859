import type { Evidence } from '@ibench/html';
import {
  loadHistograms,
  loadProfiles,
  loadProvenance,
  loadSeries,
  type Store,
} from '@ibench/store';

/** What charts are drawn from, read from the store when it is asked for. */
export function evidenceOf(store: Store): Evidence {
  return {
    series: (runId, step) => loadSeries(store, runId, step),
    histograms: (runId, step) => loadHistograms(store, runId, step),
    provenance: (runId) => loadProvenance(store, runId),
    profiles: (runId, step) => loadProfiles(store, runId, step),
  };
}
