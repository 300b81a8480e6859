export { type DoctorFinding, doctorVerdict, runDoctor } from './doctor/index.ts';
export type {
  Backend,
  DatabaseServer,
  MaintenanceConnection,
  Setting,
  StatementPlan,
  WalCounters,
} from './engine.ts';
export { collectHostFacts } from './facts/index.ts';
export { StepMemoryFile } from './load/step-memory.ts';
export {
  type DoneMessage,
  nameOf,
  startWorker,
  type WorkerFds,
  type WorkerFiles,
  type WorkerProcess,
} from './load/worker-process.ts';
export { createPipe, type Pipe } from './posix.ts';
export { type Build, findBuild } from './postgres/build.ts';
export { parseConfig, type ServerConfig } from './postgres/config-file.ts';
export { cleanUpLeftovers, type Leftover } from './postgres/leftover.ts';
export { type PostgresOptions, startPostgres } from './postgres/postgres-engine.ts';
export { logTail } from './postgres/server.ts';
export { type ServerUser, serverUser } from './postgres/server-user.ts';
export { directoryBytes } from './postgres/statistics.ts';
export { endProcess, isRunning, processToken } from './process.ts';
export {
  averageSamples,
  compareReadings,
  findDevices,
  readOsCounters,
  readProcess,
  readServerCpu,
  residentBytes,
  type ServerCpu,
  startSampler,
} from './sampler/index.ts';
