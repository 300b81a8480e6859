import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuPerOp } from '../src/metrics/cpu-per-op.ts';

test('where the load generator runs on another host it has no part in the CPU of the server', () => {
  const { fgcpupq, bgcpupq, clcpupq, otcpupq } = cpuPerOp({
    split: {
      insertBackends: 2,
      deleteBackends: 1,
      queryBackends: 0,
      maintenanceBackend: 0,
      background: 0.5,
      loadGenerator: null,
    },
    cpupq: 10,
    operations: 1e6,
    roles: new Set(['insert', 'delete']),
  });
  assert.deepEqual([fgcpupq, bgcpupq, clcpupq, otcpupq], [3, 0.5, null, 6.5]);
});
