export { loadDifferences } from './differences.ts';
export { loadDurations } from './durations.ts';
export { type FactCategory, type SettingRow, saveRunFacts, saveSettings } from './facts.ts';
export { closeStore, openStore, type Store } from './open.ts';
export { listRuns, loadRuns, type RunFilter, type RunListing } from './records.ts';
export {
  createRun,
  finishRun,
  markCrashed,
  type NewRun,
  nextRepeat,
  type RunEnd,
  saveConfigText,
  type UnfinishedRun,
  unfinishedRuns,
} from './runs.ts';
export { addOsSamples, addSeconds } from './series.ts';
export {
  addWarning,
  type FailedStep,
  type FinishedStep,
  failStep,
  finishStep,
  type NewStep,
  savePlan,
  startStep,
} from './steps.ts';
