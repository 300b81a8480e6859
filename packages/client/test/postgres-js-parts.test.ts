import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseConninfo } from '../src/driver/conninfo.ts';
import { fatalErrorIn } from '../src/driver/fatal-error.ts';
import { arrayText, JsParameters, timestampText } from '../src/driver/js-parameters.ts';
import { allocate, type NativeMemory } from '../src/posix.ts';

describe('a connection string', () => {
  test('is read with quotes, escapes and blanks as libpq reads it', () => {
    const read = parseConninfo(
      String.raw`host='/tmp/a b' port=5432 user = 'o\'neil' dbname='x\\y' z=''`,
    );
    assert.deepEqual(Object.fromEntries(read), {
      host: '/tmp/a b',
      port: '5432',
      user: "o'neil",
      dbname: String.raw`x\y`,
      z: '',
    });
  });

  test('of another form is refused without showing what may be a password', () => {
    for (const text of ['postgres://u:secret@h/db', "password='secret", 'host=a secret']) {
      assert.throws(
        () => parseConninfo(text),
        (error: Error) => /not of the form/.test(error.message) && !/secret/.test(error.message),
      );
    }
  });
});

describe('values as text', () => {
  test('a timestamp has microseconds and no time zone', () => {
    assert.equal(timestampText(0), '1970-01-01 00:00:00.000000');
    assert.equal(timestampText(1_709_251_199_000_042), '2024-02-29 23:59:59.000042');
  });

  test('an array of numbers, timestamps or text is PostgreSQL’s literal', () => {
    const int = (n: number): Buffer => Buffer.from(Int32Array.of(n).buffer).swap32();
    const us = Buffer.alloc(8);
    us.writeBigInt64BE(1_500_000n);
    assert.equal(arrayText(binaryArray(23, [int(7), int(-1)])), '{7,-1}');
    assert.equal(arrayText(binaryArray(1114, [us])), '{"2000-01-01 00:00:01.500000"}');
    const texts = ['', 'NULL', 'a"b\\c'].map((text) => Buffer.from(text));
    assert.equal(arrayText(binaryArray(25, texts)), String.raw`{"","NULL","a\"b\\c"}`);
  });

  test('parameters keep what was bound last, numbers above 32 bits included', () => {
    const parameters = new JsParameters(3);
    parameters.setInt64(0, 2 ** 53 - 1);
    parameters.setTimestamp(1, 1_000_001);
    parameters.setText(2, Buffer.from('xabcx'), 1, 4);
    assert.deepEqual(parameters.values(), [2 ** 53 - 1, '1970-01-01 00:00:01.000001', 'abc']);
    parameters.setInt32(0, 5);
    assert.equal(parameters.values()[0], 5);
  });
});

describe('the last words of a server', () => {
  test('are found behind other messages', () => {
    const bytes = Buffer.concat([
      message('C', 'SELECT 1\0'),
      fatal('FATAL', '57P01', 'going down'),
    ]);
    assert.deepEqual(fatalErrorIn(bytes), { sqlstate: '57P01', message: 'going down' });
  });

  test('are not an error that the connection survives, nor anything cut off', () => {
    assert.equal(fatalErrorIn(fatal('ERROR', '57014', 'cancelled')), null);
    assert.equal(fatalErrorIn(Buffer.from('E')), null);
    assert.equal(fatalErrorIn(Buffer.alloc(0)), null);
    assert.equal(fatalErrorIn(fatal('FATAL', '57P01', 'going down').subarray(0, 12)), null);
  });
});

function message(letter: string, body: string): Buffer {
  const bytes = Buffer.from(`${letter}....${body}`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}

function fatal(severity: string, sqlstate: string, text: string): Buffer {
  return message('E', `S${severity}\0V${severity}\0C${sqlstate}\0M${text}\0\0`);
}

function binaryArray(element: number, items: readonly Buffer[]): NativeMemory {
  const header = [1, 0, element, items.length, 1];
  const memory = allocate(
    4 * header.length + items.reduce((sum, { length }) => sum + 4 + length, 0),
  );
  let at = 0;
  const put = (n: number): void => {
    memory.view.setInt32(at, n);
    at += 4;
  };
  header.forEach(put);
  for (const item of items) {
    put(item.length);
    memory.bytes.set(item, at);
    at += item.length;
  }
  return memory;
}
