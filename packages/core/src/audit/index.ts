export type { Audit, AuditName, AuditVerdict } from './audit.ts';
export { isInvalid } from './audit.ts';
export { type CanaryFigures, canaryAudit } from './canary.ts';
export { clientBoundAudit } from './client-bound.ts';
export { type Clocks, clockAudit } from './clock.ts';
export { type CpuBounds, cpuAudits } from './cpu.ts';
export { deadlineAudit, type WorkerEnd } from './deadline.ts';
export { runnerAudit } from './runner.ts';
export { samplesAudit } from './samples.ts';
