import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { BLOCK_BYTES, blockOffset, CONTROL, counter, viewBlock } from '@ibench/core';
import { StepMemoryFile } from '../src/load/step-memory.ts';

test('a step’s memory has a zeroed block for each worker', (t) => {
  const memory = new StepMemoryFile(3);
  t.after(() => memory.close());
  assert.equal(fs.fstatSync(memory.fd).size, CONTROL.bytes + 3 * BLOCK_BYTES);
  for (let i = 0; i < 3; i++) {
    const view = memory.read(i);
    assert.equal(counter(view, 'operations'), 0);
    for (const area of Object.values(view)) assert.ok(area.every((n: number) => n === 0));
  }
});

test('what another process writes into its block is read from that block alone', (t) => {
  const memory = new StepMemoryFile(2);
  t.after(() => memory.close());
  const block = new ArrayBuffer(BLOCK_BYTES);
  const view = viewBlock(block);
  view.counters.set([7, 350, 1.5]);
  view.ring.set([1, 7, 350, 20]);
  view.service[3] = 7;
  view.responseDecimal[9] = 2;
  const { status } = spawnSync(
    'dd',
    ['of=/proc/self/fd/3', 'conv=notrunc', 'bs=4096', `seek=${blockOffset(1) / 4096}`],
    { input: new Uint8Array(block), stdio: ['pipe', 'ignore', 'ignore', memory.fd] },
  );
  assert.equal(status, 0);
  const read = memory.read(1);
  assert.deepEqual(
    [counter(read, 'operations'), counter(read, 'rows'), counter(read, 'serviceSum')],
    [7, 350, 1.5],
  );
  assert.deepEqual([...read.ring.subarray(0, 5)], [1, 7, 350, 20, 0]);
  assert.deepEqual([read.service[3], read.responseDecimal[9]], [7, 2]);
  assert.equal(counter(memory.read(0), 'operations'), 0);
});

test('stop is seen by everyone who shares the memory, and touches no block', (t) => {
  const memory = new StepMemoryFile(1);
  t.after(() => memory.close());
  const flag = new Int32Array(1);
  const readFlag = (): number => {
    fs.readSync(memory.fd, flag, 0, 4, CONTROL.stop);
    return flag[0] as number;
  };
  assert.equal(readFlag(), 0);
  memory.stop();
  assert.notEqual(readFlag(), 0);
  const bytes = new Uint8Array(blockOffset(1));
  fs.readSync(memory.fd, bytes, 0, bytes.length, 0);
  assert.ok(bytes.subarray(CONTROL.stop + 4).every((byte) => byte === 0));
});

test('blocks begin at whole pages, so that each can be mapped by itself', () => {
  for (let i = 0; i < 100; i++) assert.equal(blockOffset(i) % 4096, 0);
  assert.equal(viewBlock(new ArrayBuffer(BLOCK_BYTES)).responseDecimal.length, 10);
});

test('the memory is no file that others could open, and programs get it only when told', (t) => {
  const memory = new StepMemoryFile(1);
  t.after(() => memory.close());
  assert.match(fs.readlinkSync(`/proc/self/fd/${memory.fd}`), /^\/memfd:ibench-step/);
  const { stdout } = spawnSync('ls', ['-l', '/proc/self/fd'], { encoding: 'utf8' });
  assert.doesNotMatch(stdout, /memfd/);
});
