import path from 'node:path';
import { doctorVerdict, runDoctor, serverUser } from '@ibench/host';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { printResult } from '../environment.ts';
import { doctorText } from './doctor-text.ts';
import { STORE_OPTIONS } from './run-options.ts';

const DOCTOR_OPTIONS = {
  'runs-dir': { ...STORE_OPTIONS['runs-dir'], describe: 'folder whose disk is examined' },
} as const satisfies Record<string, Options>;

/** `ibench doctor`: what this host lacks or has badly set for benchmarking. */
export const doctorCommand: CommandModule<object, InferredOptionTypes<typeof DOCTOR_OPTIONS>> = {
  command: 'doctor',
  describe: 'Say what this host lacks or has badly set for benchmarking, and what to do',
  builder: (yargs) =>
    yargs
      .options(DOCTOR_OPTIONS)
      .example('ibench doctor', 'examine this host')
      .example('ibench doctor --runs-dir /mnt/nvme/runs', 'examine another disk'),
  handler: async ({ runsDir }) => {
    const findings = await runDoctor({
      directory: path.resolve(runsDir),
      serverUser: serverUserName(),
    });
    const verdict = doctorVerdict(findings);
    await printResult(`${doctorText(findings)}\n\n${verdict.text}\n`);
    process.exitCode = verdict.status === 'bad' ? 1 : 0;
  },
};

function serverUserName(): string | null {
  try {
    return serverUser(undefined)?.name ?? null;
  } catch {
    return null;
  }
}
