// Runs the query worker's own loop, and between sending and waiting makes an insert statement as the insert
// worker does, and finds the longest pauses. Its job: { job: a query job, seconds }; descriptor 3: the memory
// of a step. Two clocks run: wall time, and CPU time of this thread, which leaves out what others were given.
import { createRequire } from 'node:module';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  allocate,
  connectLibpq,
  InsertText,
  nowNs,
  parseWorkload,
  postgresDialect,
  prepareQueries,
  Recorder,
  RowGenerator,
  StepMemory,
} from '../ibench.mjs';

const { job, seconds } = JSON.parse(process.argv[2]);
const ROWS = 50;

const collections = [];
const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
observer.observe({ entryTypes: ['gc'] });

// Numbers are kept in typed arrays, since what the harness allocates would be collected as well: wall, CPU.
const between = new Float64Array(2);
const generating = new Float64Array(2);
const mark = new Float64Array(2);
let queries = 0;
const threadCpuNs = threadClock();
const connection = watched(connectLibpq(job.connect));
const loop = prepareQueries(job, connection);
const startMs = performance.now();
const startNs = nowNs();
const memory = new StepMemory(job.blockOffset);
const recorder = new Recorder(memory.block, startNs);
loop({ memory, recorder, startNs, deadlineNs: startNs + seconds * 1e9 });
const endMs = performance.now();
connection.close();
// The observer is told by the event loop, which has not run since the start.
await sleep(50);
observer.disconnect();

const during = collections.filter(({ startTime }) => startTime >= startMs && startTime <= endMs);
const durations = during.map(({ duration }) => duration);
console.log(
  JSON.stringify({
    queries,
    gc: {
      count: during.length,
      longestMs: durations.reduce((most, ms) => Math.max(most, ms), 0),
      totalMs: durations.reduce((sum, ms) => sum + ms, 0),
    },
    betweenMs: inMs(between),
    generateMs: inMs(generating),
  }),
);

/** The connection, with the pauses around its statements noted. */
function watched(connection) {
  const generate = generator();
  const real = {
    send: connection.sendPrepared.bind(connection),
    receive: connection.receive.bind(connection),
  };
  connection.sendPrepared = (statement) => {
    if (queries > 0) keepLongest(between);
    real.send(statement);
    setMark();
    generate(queries);
    keepLongest(generating);
  };
  connection.receive = () => {
    const rows = real.receive();
    queries++;
    setMark();
    return rows;
  };
  return connection;
}

/** Makes the insert of batch k in memory. */
function generator() {
  const workload = parseWorkload({}, 'bench');
  const rows = new RowGenerator(workload.seed, job.client, workload, ROWS);
  const prefix = Buffer.from(postgresDialect.insertSql('pi1', 'values', 'text'));
  const timestamp = Buffer.from('2026-01-31 12:34:56.123456');
  const text = allocate(64 * 1024);
  const insert = new InsertText(text.bytes, prefix);
  return (k) => insert.write(rows.fill(k, ROWS), timestamp);
}

function setMark() {
  mark[0] = nowNs();
  mark[1] = threadCpuNs();
}

function keepLongest(longest) {
  longest[0] = Math.max(longest[0], nowNs() - mark[0]);
  longest[1] = Math.max(longest[1], threadCpuNs() - mark[1]);
}

function inMs([wall, cpu]) {
  return { wall: wall / 1e6, cpu: cpu / 1e6 };
}

/** CLOCK_THREAD_CPUTIME_ID in nanoseconds, through the client's koffi. */
function threadClock() {
  const client = new URL('../../../packages/client/dist/src/posix.js', import.meta.url);
  const libc = createRequire(client)('koffi').load('libc.so.6');
  const gettime = libc.func('int clock_gettime(int clock, void *time)');
  const time = Buffer.alloc(16);
  const THREAD_CPUTIME = 3;
  return () => {
    gettime(THREAD_CPUTIME, time);
    return time.readUInt32LE(0) * 1e9 + time.readUInt32LE(8);
  };
}
