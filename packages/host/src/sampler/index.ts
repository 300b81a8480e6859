export { averageSamples, compareReadings, type OsAverages } from './compare-readings.ts';
export { type FoundDevices, findDevices } from './devices.ts';
export { readOsCounters } from './os-counters.ts';
export { type ProcessStat, readProcess } from './proc-process.ts';
export {
  readServerCpu,
  residentBytes,
  type ServerCpu,
} from './server-processes.ts';
export { type Sampler, type SamplerOptions, startSampler } from './start-sampler.ts';
