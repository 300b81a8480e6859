import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nowNs, TimestampText } from '../src/clock.ts';
import { sleepUntil } from '../src/posix.ts';

test('the clock is CLOCK_MONOTONIC: between two readings of the system’s own', () => {
  let worst = 0;
  for (let i = 0; i < 1000; i++) {
    const before = Number(process.hrtime.bigint());
    const now = nowNs();
    const after = Number(process.hrtime.bigint());
    worst = Math.max(worst, before - now, now - after);
  }
  assert.ok(worst < 50_000, `off by ${worst} ns`);
});

test('the clock never goes back', () => {
  let last = nowNs();
  for (let i = 0; i < 100_000; i++) {
    const now = nowNs();
    assert.ok(now >= last);
    last = now;
  }
});

test('sleeping until a time does not end before it, and a time that has passed is no sleep', () => {
  for (let i = 0; i < 20; i++) {
    const until = nowNs() + 1e6;
    sleepUntil(until);
    assert.ok(nowNs() >= until - 1000);
  }
  sleepUntil(nowNs() - 1e9);
  sleepUntil(0);
});

test('the text of a timestamp is the time now in UTC with microseconds', () => {
  const text = new TimestampText();
  for (let i = 0; i < 200; i++) {
    const before = performance.timeOrigin + performance.now();
    const written = new TextDecoder().decode(text.now());
    const after = performance.timeOrigin + performance.now();
    assert.match(written, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
    const ms =
      Date.parse(`${written.slice(0, 19).replace(' ', 'T')}Z`) + Number(written.slice(19)) * 1000;
    assert.ok(
      ms >= before - 0.01 && ms <= after + 0.01,
      `${written} between ${before} and ${after}`,
    );
    if (i % 50 === 0) sleepUntil(nowNs() + 300e6);
  }
});

test('the text of a timestamp is written over the last one, without a new buffer', () => {
  const text = new TimestampText();
  assert.equal(text.now(), text.now());
  assert.equal(text.now().length, 26);
});
