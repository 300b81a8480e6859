import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import koffi from 'koffi';
import type { ParameterType } from '../src/driver/driver.ts';
import { LibpqParameters } from '../src/driver/libpq-parameters.ts';

/** The bytes of a parameter as libpq finds them: by the addresses and lengths in the arrays. */
function bytesOf(parameters: LibpqParameters, index: number): Buffer {
  const address = parameters.values.view.getBigUint64(8 * index, true);
  const length = parameters.lengths.view.getInt32(4 * index, true);
  assert.equal(parameters.formats.view.getInt32(4 * index, true), 1, 'not binary');
  return Buffer.from(new Uint8Array(koffi.view(address, length)));
}

function parameters(types: readonly ParameterType[], textCapacity = 0): LibpqParameters {
  return new LibpqParameters(types, textCapacity);
}

describe('binary parameters', () => {
  it('hold 32-bit numbers in network order', () => {
    const two = parameters(['int4', 'int4']);
    two.setInt32(0, 1);
    two.setInt32(1, 2 ** 31 - 1);
    assert.equal(bytesOf(two, 0).toString('hex'), '00000001');
    assert.equal(bytesOf(two, 1).toString('hex'), '7fffffff');
  });

  it('hold ids beyond 32 bits as 64-bit numbers in network order', () => {
    const one = parameters(['int8']);
    for (const id of [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1]) {
      one.setInt64(0, id);
      assert.equal(bytesOf(one, 0).length, 8);
      assert.equal(bytesOf(one, 0).readBigInt64BE(), BigInt(id));
    }
  });

  it('hold timestamps as microseconds since 2000, before and after', () => {
    const one = parameters(['timestamp']);
    for (const text of [
      '2026-11-30T16:00:00.123Z',
      '2000-01-01T00:00:00Z',
      '1999-12-31T23:59:59Z',
    ]) {
      const ms = Date.parse(text);
      one.setTimestamp(0, ms * 1000 + 7);
      const since2000 = BigInt(ms - Date.parse('2000-01-01T00:00:00Z')) * 1000n + 7n;
      assert.equal(bytesOf(one, 0).readBigInt64BE(), since2000);
    }
  });

  it('hold texts one behind the other, and others at the next execution', () => {
    const three = parameters(['text', 'int4', 'text'], 12);
    const source = new TextEncoder().encode('abcdefghijkl');
    const texts = () => [bytesOf(three, 0).toString(), bytesOf(three, 2).toString()];
    three.setText(0, source, 0, 5);
    three.setInt32(1, 9);
    three.setText(2, source, 5, 12);
    assert.deepEqual(texts(), ['abcde', 'fghijkl']);
    three.setText(0, source, 2, 2);
    three.setText(2, source, 0, 12);
    assert.deepEqual(texts(), ['', 'abcdefghijkl']);
    assert.equal(bytesOf(three, 1).readInt32BE(), 9);
  });

  it('do not touch each other', () => {
    const types = ['int8', 'int4', 'timestamp', 'int8'] as const;
    const four = parameters(types);
    four.setInt64(0, 2 ** 53 - 1);
    four.setInt32(1, -1);
    four.setTimestamp(2, 0);
    four.setInt64(3, 2 ** 40);
    four.setInt32(1, 5);
    assert.equal(bytesOf(four, 0).readBigInt64BE(), 2n ** 53n - 1n);
    assert.equal(bytesOf(four, 1).readInt32BE(), 5);
    assert.equal(bytesOf(four, 2).readBigInt64BE(), -946_684_800_000_000n);
    assert.equal(bytesOf(four, 3).readBigInt64BE(), 2n ** 40n);
  });
});
