import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '@ibench/core';
import { availableVersions, chooseVersions } from '../src/builds/npm-versions.ts';

/** As npm lists them: by the date of publication, with versions that are not releases of Postgres. */
const NPM = [
  '9.6.24-beta.11',
  '12.22.0-beta.15',
  '17.2.0-beta.9',
  '17.2.0-beta.15',
  '17.0.0-beta.14',
  '17.10.0-beta.17',
  '17.9.0-beta.17',
  '16.1.0-beta.12',
  '16.1.1-beta.11',
  '18.4.0',
  '18.4.0-beta.17',
  '18.4.0-canary.3',
];
const AVAILABLE = availableVersions(NPM);

function chosen(...words: string[]): string[] {
  return chooseVersions(words, AVAILABLE).map(({ postgres }) => postgres);
}

function refused(words: string[], message: RegExp): void {
  assert.throws(
    () => chooseVersions(words, AVAILABLE),
    (error: Error) => error instanceof UsageError && message.test(error.message),
  );
}

test('each version has its newest packaging, in the order of numbers', () => {
  assert.deepEqual(AVAILABLE, [
    { postgres: '12.22', npm: '12.22.0-beta.15' },
    { postgres: '16.1', npm: '16.1.1-beta.11' },
    { postgres: '17.0', npm: '17.0.0-beta.14' },
    { postgres: '17.2', npm: '17.2.0-beta.15' },
    { postgres: '17.9', npm: '17.9.0-beta.17' },
    { postgres: '17.10', npm: '17.10.0-beta.17' },
    { postgres: '18.4', npm: '18.4.0' },
  ]);
});

test('a version, the last of a major, an npm version', () => {
  assert.deepEqual(chosen('17.9'), ['17.9']);
  assert.deepEqual(chosen('17'), ['17.10']);
  assert.deepEqual(chosen('17.9.0-beta.17', '12'), ['17.9', '12.22']);
  assert.deepEqual(chosen('17.9', '17.9'), ['17.9']);
});

test('a range is all versions between the two, however it is written', () => {
  const all = ['17.0', '17.2', '17.9'];
  for (const words of [
    ['17.0..17.9'],
    ['17.0...17.9'],
    ['17.0…17.9'],
    ['17.0', '…', '17.9'],
    ['17.0', '...', '17.9'],
    ['17.0 .. 17.9'],
  ]) {
    assert.deepEqual(chosen(...words), all, words.join(' '));
  }
  assert.deepEqual(chosen('12.22', '17.2', '…', '17.10', '18.4'), [
    '12.22',
    '17.2',
    '17.9',
    '17.10',
    '18.4',
  ]);
  assert.deepEqual(chosen('16.1..17.2', '17.0'), ['16.1', '17.0', '17.2']);
});

test('what is not there is refused with what is', () => {
  refused(['17.3'], /^version 17\.3 is not there: npm has 17\.0, 17\.2, 17\.9, 17\.10 \(/);
  refused(['11.22'], /^version 11\.22 is not there: npm has no release of 11, but 12\.22, 16\.1/);
  refused(['17.0..17.3'], /17\.3 is not there/);
  refused(['17.9..17.0'], /expected the older one first/);
  refused(['latest'], /^version "latest": expected one such as 17\.9/);
  refused(['17.0..'], /^version "17\.0\.\.": expected/);
});
