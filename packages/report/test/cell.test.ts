import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberCell, timeCell } from '../src/cell.ts';

test('durations have three digits and the unit in which they are readable', () => {
  const texts = [0, 5.2, 87, 999.4, 999.6, 3970, 26_120, 99_960, 381_400, 999_600, 1_252_000, 61e6];
  assert.deepEqual(
    texts.map((us) => timeCell(us).text),
    [
      '0.00 us',
      '5.20 us',
      '87.0 us',
      '999 us',
      '1.00 ms',
      '3.97 ms',
      '26.1 ms',
      '100 ms',
      '381 ms',
      '1.00 s',
      '1.25 s',
      '61.0 s',
    ],
  );
});

test('a number that is not there has no value and no mark but absent', () => {
  for (const missing of [null, undefined, Number.NaN]) {
    assert.deepEqual(numberCell(missing, 1, 'good'), { value: null, text: 'NA', mark: 'absent' });
    assert.deepEqual(timeCell(missing, 'good'), { value: null, text: 'NA', mark: 'absent' });
  }
});
