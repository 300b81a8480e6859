// What the bench takes from the compiled packages; the only file that knows where they are.

export { clientEntry } from '../../packages/cli/dist/src/paths.js';
export { configFor, readConfig } from '../../packages/cli/dist/src/read-config.js';
export { withReleasers } from '../../packages/cli/dist/src/run/releasers.js';
export { endWorkers, startWorkers } from '../../packages/cli/dist/src/run/workers.js';
export { nowNs } from '../../packages/client/dist/src/clock.js';
export { connectLibpq } from '../../packages/client/dist/src/driver/libpq.js';
export { zeroTerminated } from '../../packages/client/dist/src/driver/text.js';
export { allocate } from '../../packages/client/dist/src/posix.js';
export { prepareQueries } from '../../packages/client/dist/src/query.js';
export { QueueReceiver } from '../../packages/client/dist/src/queue.js';
export { StepMemory } from '../../packages/client/dist/src/step-memory.js';
export { RunError, UsageError } from '../../packages/core/dist/src/errors.js';
export { blockOffset, counter } from '../../packages/core/dist/src/load/block.js';
export { makeJobs } from '../../packages/core/dist/src/load/make-jobs.js';
export { Recorder } from '../../packages/core/dist/src/load/recorder.js';
export { planSteps } from '../../packages/core/dist/src/plan.js';
export { InsertText } from '../../packages/core/dist/src/workload/insert-text.js';
export { postgresDialect } from '../../packages/core/dist/src/workload/postgres.js';
export { RowGenerator } from '../../packages/core/dist/src/workload/rows.js';
export { parseWorkload } from '../../packages/core/dist/src/workload/workload.js';
export {
  createPipe,
  extendConfig,
  findBuild,
  readProcess,
  StepMemoryFile,
  serverUser,
  startPostgres,
  startWorker,
  WORKER_OPTIONS,
} from '../../packages/host/dist/src/index.js';
