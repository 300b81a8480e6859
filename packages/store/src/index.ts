export { saveRunAudits } from './audits.ts';
export { type NewBranch, saveBranch } from './branches.ts';
export { loadCanaries, saveCanary } from './canary.ts';
export { loadDifferences } from './differences.ts';
export { loadDurations } from './durations.ts';
export { loadHistograms, loadProvenance, loadSeries } from './evidence.ts';
export { type FactCategory, type SettingRow, saveRunFacts, saveSettings } from './facts.ts';
export { closeStore, openStore, type Store } from './open.ts';
export {
  type PlanAttempt,
  type PlanRunRecord,
  planRuns,
} from './plan-runs.ts';
export {
  continuePlan,
  createPlan,
  endPlan,
  findPlan,
  listPlans,
  type NewPlan,
  type NewPlanRun,
  type PlanEnd,
  type PlanRecord,
  type PlanStatus,
  sayNotStarted,
} from './plans.ts';
export { loadProfiles, saveProfiles } from './profiles.ts';
export { listRuns, loadRuns, type RunFilter, type RunListing } from './records.ts';
export {
  addRunWarning,
  createRun,
  finishRun,
  markCrashed,
  type NewRun,
  type RunEnd,
  saveConfigText,
  type UnfinishedRun,
  unfinishedRuns,
} from './runs.ts';
export { addOsSamples, addSeconds } from './series.ts';
export { addServerSecond } from './server.ts';
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
export { inSnapshot, readView, type ViewRows, type ViewValue, viewNames } from './views.ts';
