import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReserve, parseSize } from '../src/run/disk-reserve.ts';

test('a reserve that is not there is told in units that can be read', () => {
  const reserve = parseSize('--disk-reserve', '900TB');
  assert.throws(() => checkReserve(['/'], reserve), {
    name: 'RunError',
    message:
      /^only \d+(\.\d)? (B|[kMGT]B) are free on the file system of \/, less than the reserve of 900\.0 TB: /,
  });
});
