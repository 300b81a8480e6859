export { abortable } from './abortable.ts';
export { addDirectory } from './builds/add-directory.ts';
export type { Build } from './builds/build.ts';
export { BUILD_SYSTEMS } from './builds/build-systems.ts';
export { defaultBuildsDirectory } from './builds/builds-directory.ts';
export { compileBuild } from './builds/compile.ts';
export { DEFAULT_CFLAGS } from './builds/default-name.ts';
export { findBuild } from './builds/find-build.ts';
export { installed, installNpmBuild, installVersion } from './builds/install-npm.ts';
export type { Manifest } from './builds/manifest.ts';
export { readAvailable } from './builds/npm.ts';
export { type AvailableVersion, chooseVersions } from './builds/npm-versions.ts';
export {
  listManifests,
  quickChanges,
  registeredManifest,
  rootOf,
  sourceText,
} from './builds/registered.ts';
export { removeBuilds } from './builds/remove.ts';
export { type CanaryReading, runCanary } from './canary/run-canary.ts';
export { checkConfigOnBuild } from './config/check-config.ts';
export {
  compareConfigs,
  type EffectiveSetting,
  type SettingPair,
} from './config/effective-settings.ts';
export { extendConfig } from './config/extend-config.ts';
export { type Config, loadConfig } from './config/load-config.ts';
export { resolveConfig, type ServerConfig } from './config/resolve-config.ts';
export { usableMemory } from './config/usable-memory.ts';
export { describeVersions } from './config/versions.ts';
export { formatBytes } from './doctor/format-bytes.ts';
export { type HostState, readHostState } from './doctor/host-state.ts';
export { type DoctorFinding, doctorVerdict, runDoctor } from './doctor/index.ts';
export type {
  Activity,
  Backend,
  DatabaseServer,
  IndexState,
  MaintenanceConnection,
  Observer,
  OwnServer,
  Session,
  Setting,
  StatementPlan,
} from './engine.ts';
export { diskSpace, freeBytes } from './facts/free-space.ts';
export { makeFolder, readFolder } from './folders.ts';
export { StepMemoryFile } from './load/step-memory.ts';
export {
  type DoneMessage,
  nameOf,
  startWorker,
  WORKER_OPTIONS,
  type WorkerFds,
  type WorkerFiles,
  type WorkerProcess,
} from './load/worker-process.ts';
export { type HostLock, lockHost } from './lock/host-lock.ts';
export type { LockOwner } from './lock/lock-owner.ts';
export { allowedCpus, createPipe, libpqFault, type Pipe } from './posix.ts';
export { commandSettings } from './postgres/command-settings.ts';
export {
  type AccessDefaults,
  describeAccess,
  parseConnectionString,
  type ServerAccess,
} from './postgres/connection-string.ts';
export {
  type ExternalOptions,
  inspectExternalServer,
  openExternalServer,
} from './postgres/external-server.ts';
export {
  type AbandonedData,
  adoptKept,
  checkKept,
  findAbandoned,
  type KeepChoice,
  type KeptData,
  keepData,
  removeKept,
} from './postgres/kept-data.ts';
export { cleanUpLeftovers, type Leftover } from './postgres/leftover.ts';
export { type PostgresOptions, startPostgres } from './postgres/postgres-engine.ts';
export { markedRunDirectories } from './postgres/run-marks.ts';
export { logTail } from './postgres/server.ts';
export type { ServerState } from './postgres/server-state.ts';
export { type ServerUser, serverUser } from './postgres/server-user.ts';
export { endProcess, isRunning, processToken } from './process.ts';
export { checkPerf, chooseCallGraph } from './profile/check-perf.ts';
export { foldRecording, type Recording, recordStacks } from './profile/record-stacks.ts';
export type { HostBorder, HostReader } from './reader/host-reader.ts';
export { HostUnreachable } from './remote/remote-shell.ts';
export {
  averageSamples,
  checkDevices,
  compareReadings,
  readProcess,
  type ServerCpu,
} from './sampler/index.ts';
export { makeTemporaryDirectory } from './temporary-directory.ts';
