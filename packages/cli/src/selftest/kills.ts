import { RunError } from '@ibench/core';
import { type Fault, STEP } from './fault.ts';
import { childWith } from './processes.ts';

const FAILED = { choice: {}, failed: STEP, exitCode: 1 } as const;

const WORKERS = { pace: 'pacer', insert: 'inserter', delete: 'deleter', query: 'querier' } as const;

const killedWorkers = Object.entries(WORKERS).map(
  ([role, name]): Fault => ({
    ...FAILED,
    name: `kill-${name}`,
    what: `SIGKILL to the ${name}`,
    mustSay: 'the step failed, which worker, and how it ended',
    expected: new RegExp(
      `^${STEP}: the ${name} of client 1 \\(pid \\d+\\) was ended by SIGKILL before its work was done$`,
    ),
    inject: async (trial) => {
      await trial.untilUnderWay(STEP);
      process.kill(trial.pidOf(STEP, role, 'pid'), 'SIGKILL');
    },
  }),
);

/** Whatever process of the server is killed, the postmaster ends the others and logs which it was. */
const CRASHED = '\\(PID \\d+\\) was terminated by signal 9: Killed; ';

const killedBackends = (['insert', 'delete', 'query'] as const).map(
  (role): Fault => ({
    ...FAILED,
    name: `kill-${role}-backend`,
    what: `SIGKILL to the server process of the ${role} connection`,
    mustSay: 'the step failed, first whose backend was killed, with its process and the signal',
    expected: RegExp(
      `^${STEP}: the backend of the ${WORKERS[role]} of client 1: [\\w ]+ ${CRASHED}`,
    ),
    inject: async (trial) => {
      await trial.untilUnderWay(STEP);
      process.kill(trial.pidOf(STEP, role, 'backendPid'), 'SIGKILL');
    },
  }),
);

const killedBackground = (['checkpointer', 'walwriter', 'autovacuum launcher'] as const).map(
  (kind): Fault => ({
    ...FAILED,
    name: `kill-${kind.replace(' ', '-')}`,
    what: `SIGKILL to the ${kind}`,
    mustSay: 'the step failed, first which process was killed, with the signal',
    expected: RegExp(`^${STEP}: [\\w ]+ ${CRASHED}`),
    inject: async (trial) => {
      await trial.untilUnderWay(STEP);
      const pid = childWith(trial.postmaster(), kind);
      if (pid === null) throw new RunError(`the server has no ${kind}`);
      process.kill(pid, 'SIGKILL');
    },
  }),
);

const killedServer: Fault = {
  ...FAILED,
  name: 'quit-server',
  what: 'SIGQUIT to the postmaster',
  mustSay: 'the server is gone, how it ended, and the end of its log',
  expected: /^qr100: the server is gone: it ended with exit code \d+\n.*server\.log ends with:\n/s,
  inject: async (trial) => {
    await trial.untilUnderWay(STEP);
    process.kill(trial.postmaster(), 'SIGQUIT');
  },
};

/** Each kind of worker and of server process is killed: the step must fail, and say who it was. */
export const KILLS: readonly Fault[] = [
  ...killedWorkers,
  ...killedBackends,
  ...killedBackground,
  killedServer,
];
