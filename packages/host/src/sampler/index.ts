export { averageSamples, compareReadings } from './compare-readings.ts';
export { checkDevices } from './devices.ts';
export { readProcess } from './proc-process.ts';
export type { ServerCpu } from './server-processes.ts';
