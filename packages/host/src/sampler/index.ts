export { averageSamples, compareReadings, type OsAverages } from './compare-readings.ts';
export { type FoundDevices, findDevices } from './devices.ts';
export { readOsCounters } from './os-counters.ts';
export { type IoReport, type IostatFlags, parseIostat } from './parse-iostat.ts';
export { parseVmstat, type VmstatRow, type VmstatText } from './parse-vmstat.ts';
export { type ProcessStat, readProcess } from './proc-process.ts';
export {
  readProcessTree,
  readServerCpu,
  residentBytes,
  type ServerCpu,
} from './server-processes.ts';
export { type Sampler, type SamplerOptions, startSampler } from './start-sampler.ts';
