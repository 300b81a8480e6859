import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { QUEUE_STATEMENTS, RECORD_BYTES } from '@ibench/core/worker';
import { QueueReceiver, QueueSender } from '../src/queue.ts';
import { bytesIn, close, makePipe, type Pipe } from './pipe.ts';

const SENDER = fileURLToPath(new URL('./queue-sender.js', import.meta.url));

describe('the queue between two processes', () => {
  let records: Pipe;
  let acks: Pipe;
  let child: ChildProcess;

  const start = (count: number): void => {
    child = spawn(process.execPath, [SENDER, String(count)], {
      stdio: ['ignore', 'inherit', 'inherit', records.write, acks.read],
    });
    close(records.write, acks.read);
  };
  const waiting = (): number => bytesIn(records) / RECORD_BYTES;
  const untilWaiting = async (n: number): Promise<void> => {
    const end = performance.now() + 20_000;
    while (waiting() < n && performance.now() < end) await sleep(5);
    assert.equal(waiting(), n);
  };

  beforeEach(() => {
    records = makePipe();
    acks = makePipe();
  });
  afterEach(() => child.kill('SIGKILL'));

  it('never holds more than eight statements that are not finished, those taken included', async () => {
    start(1000);
    const receiver = new QueueReceiver(records.read, acks.write);
    await untilWaiting(QUEUE_STATEMENTS);
    await sleep(100);
    assert.equal(waiting(), QUEUE_STATEMENTS);
    for (let k = 0; k < QUEUE_STATEMENTS; k++) receiver.take();
    await sleep(100);
    assert.equal(waiting(), 0, 'a statement that is taken is not finished');
    for (let k = 1; k < QUEUE_STATEMENTS / 2; k++) receiver.finished();
    await sleep(100);
    assert.equal(waiting(), 0, 'finished statements are told of half a queue at a time');
    receiver.finished();
    await untilWaiting(QUEUE_STATEMENTS / 2);
    for (let k = 0; k < QUEUE_STATEMENTS / 2; k++) receiver.finished();
    await untilWaiting(QUEUE_STATEMENTS);
    close(records.read, acks.write);
  });

  it('delivers every record once, in order and whole', async () => {
    const count = 20_000;
    start(count);
    const receiver = new QueueReceiver(records.read, acks.write);
    const exit = once(child, 'exit');
    let k = 0;
    for (; receiver.take(); k++) {
      assert.deepEqual([receiver.k, receiver.rows, receiver.dueNs], [k, 50, k * 0.5e9]);
      receiver.finished();
    }
    assert.equal(k, count);
    assert.deepEqual(await exit, [0, null]);
    close(records.read, acks.write);
  });

  it('tells the sender that waits for room when the receiver has gone', async () => {
    start(1000);
    await untilWaiting(QUEUE_STATEMENTS);
    const exit = once(child, 'exit');
    close(records.read, acks.write);
    assert.deepEqual(await exit, [3, null]);
  });

  it('tells the receiver when the sender was killed, after the records that had been sent', async () => {
    start(1000);
    await untilWaiting(QUEUE_STATEMENTS);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    const receiver = new QueueReceiver(records.read, acks.write);
    for (let k = 0; k < QUEUE_STATEMENTS; k++) assert.ok(receiver.take());
    assert.equal(receiver.take(), false);
    close(records.read, acks.write);
  });
});

describe('the ends of a queue', () => {
  it('give the sender room again for all that was finished meanwhile', () => {
    const records = makePipe();
    const acks = makePipe();
    const sender = new QueueSender(records.write, acks.read);
    const receiver = new QueueReceiver(records.read, acks.write);
    for (let round = 0; round < 5; round++) {
      for (let k = 0; k < QUEUE_STATEMENTS; k++) {
        assert.ok(sender.waitForRoom() >= 1);
        sender.put(k, 1, 0);
      }
      assert.ok(sender.flush());
      for (let k = 0; k < QUEUE_STATEMENTS; k++) {
        assert.ok(receiver.take());
        receiver.finished();
      }
    }
    assert.equal(bytesIn(records), 0);
    close(records.read, records.write, acks.read, acks.write);
  });

  it('carry numbers up to 2^53 and times of CLOCK_MONOTONIC without loss', () => {
    const records = makePipe();
    const acks = makePipe();
    const sender = new QueueSender(records.write, acks.read);
    sender.put(2 ** 53 - 1, 10_000, 3e16 + 4);
    assert.ok(sender.flush());
    const receiver = new QueueReceiver(records.read, acks.write);
    assert.ok(receiver.take());
    assert.deepEqual([receiver.k, receiver.rows, receiver.dueNs], [2 ** 53 - 1, 10_000, 3e16 + 4]);
    close(records.read, records.write, acks.read, acks.write);
  });
});
