import fs from 'node:fs';
import { FDS, type Go, Recorder, type WorkerJob, type WorkerMessage } from '@ibench/core/worker';
import { nowNs } from './clock.ts';
import { prepareDeletes } from './delete-rows.ts';
import { connect } from './driver/connect.ts';
import { type Connection, DatabaseError } from './driver/driver.ts';
import { isEndOfStep, type LoopContext } from './execute.ts';
import { prepareInserts } from './insert-loop.ts';
import { pace } from './pace.ts';
import { bindProcess, bindTask, dieWithParent, sleepUntil } from './posix.ts';
import { prepareQueries } from './query.ts';
import { StepMemory } from './step-memory.ts';

/**
 * One worker process: connect and prepare, say `ready`, wait for `go`, work until the job is done, say
 * `done`, and keep the connection until the runner closes standard input (it reads the backend's CPU).
 * Everything blocks; a signal simply ends the process, and so does the end of its parent.
 */
async function main(): Promise<void> {
  const job = JSON.parse(process.argv[2] as string) as WorkerJob;
  dieWithParent(job.parentPid);
  try {
    await work(job);
  } catch (error) {
    const sqlstate = error instanceof DatabaseError ? error.sqlstate : null;
    const message = error instanceof Error ? error.message : String(error);
    say({ type: 'error', sqlstate, message });
    process.exitCode = 1;
  }
}

async function work(job: WorkerJob): Promise<void> {
  // Before anything starts a thread, which is then bound as well.
  if (job.place !== null) bindProcess(job.place.worker);
  const memory = new StepMemory(job.blockOffset);
  const connection = job.role === 'pace' ? null : await connect(job.connect);
  if (job.place !== null && connection !== null) {
    bindTask(connection.backendPid, job.place.backend);
  }
  const run = prepare(job, memory, connection);
  say({
    type: 'ready',
    backendPid: connection?.backendPid ?? null,
    library: connection?.library ?? null,
  });
  const line = readLine();
  if (line === null) return;
  const go = JSON.parse(line) as Go;
  sleepUntil(go.startNs);
  const before = process.cpuUsage();
  const deadlineNs = go.deadlineNs ?? Number.POSITIVE_INFINITY;
  try {
    run(go);
  } catch (error) {
    if (!isEndOfStep(error, { memory, deadlineNs })) throw error;
  }
  const finishedNs = nowNs();
  const cpu = process.cpuUsage(before);
  say({ type: 'done', finishedNs, cpuUserS: cpu.user / 1e6, cpuSystemS: cpu.system / 1e6 });
  closeQueues(job);
  readLine();
  connection?.close();
}

function prepare(
  job: WorkerJob,
  memory: StepMemory,
  connection: Connection | null,
): (go: Go) => void {
  if (job.role === 'pace') return (go) => pace(job, go, memory);
  const loop = prepareLoop(job, connection as Connection);
  return (go) => {
    const context: LoopContext = {
      memory,
      startNs: go.startNs,
      recorder: new Recorder(memory.block, go.startNs),
      deadlineNs: go.deadlineNs ?? Number.POSITIVE_INFINITY,
    };
    loop(context);
  };
}

function prepareLoop(
  job: Exclude<WorkerJob, { role: 'pace' }>,
  connection: Connection,
): (context: LoopContext) => void {
  switch (job.role) {
    case 'insert':
      return prepareInserts(job, connection);
    case 'delete':
      return prepareDeletes(job, connection);
    case 'query':
      return prepareQueries(job, connection);
    default: {
      const never: never = job;
      return never;
    }
  }
}

/** Closing a queue tells the process at its other end that there is no more work, or nobody to do it. */
function closeQueues(job: WorkerJob): void {
  if (job.role === 'query') return;
  fs.closeSync(FDS.queue);
  fs.closeSync(FDS.acks);
  if (job.role === 'pace' && job.deletes) {
    fs.closeSync(FDS.deleteQueue);
    fs.closeSync(FDS.deleteAcks);
  }
}

function say(message: WorkerMessage): void {
  fs.writeSync(1, `${JSON.stringify(message)}\n`);
}

/** One line from standard input, blocking; null at its end. */
function readLine(): string | null {
  const buffer = Buffer.alloc(1024);
  let text = '';
  for (;;) {
    const n = fs.readSync(0, buffer, 0, buffer.length, null);
    if (n === 0) return text === '' ? null : text;
    text += buffer.toString('utf8', 0, n);
    if (text.endsWith('\n')) return text;
  }
}

await main();
