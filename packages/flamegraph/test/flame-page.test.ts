import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { flamePage } from '../src/index.ts';

const HOSTILE = '</script><img src=x onerror="alert(1)">&\'';

function page(base: ReadonlyMap<string, number> | null): string {
  return flamePage({
    title: HOSTILE,
    graphs: [
      {
        title: HOSTILE,
        notes: [HOSTILE],
        stacks: new Map([
          [`main;${HOSTILE}`, 3],
          ['main;f', 1],
        ]),
        base,
      },
    ],
  });
}

function payloadOf(html: string): unknown {
  const packed = /<script type="text\/plain" class="flame-data">(.*?)<\/script>/.exec(html)?.[1];
  return JSON.parse(gunzipSync(Buffer.from(packed ?? '', 'base64')).toString());
}

test('names from a program are text wherever they stand', () => {
  for (const html of [page(null), page(new Map([[HOSTILE, 1]]))]) {
    assert.equal(html.includes('<img'), false);
    assert.equal(html.match(/<script/g)?.length, 2, 'the data and the program, nothing else');
    assert.equal(html.match(/<\/script>/g)?.length, 2);
  }
});

test('a page loads nothing, and its policy forbids it', () => {
  const html = page(null);
  assert.match(
    html,
    /default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:/,
  );
  assert.doesNotMatch(
    html.replaceAll('&lt;', ''),
    /<(link|iframe|object|img|script src)|@import|url\(/,
  );
});

test('the data has each frame once, with its samples', () => {
  assert.deepEqual(payloadOf(page(new Map([['main;f', 5]]))), {
    samples: 4,
    baseSamples: 5,
    names: ['all', 'main', HOSTILE, 'f'],
    frames: [0, 0, 4, 0, 5, 1, 1, 4, 0, 5, 2, 2, 3, 3, 0, 3, 2, 1, 1, 5],
  });
});

test('the table tells self shares, and with a base how they changed', () => {
  assert.match(page(null), /data-find>f<\/button><\/th><td>25\.00%<\/td><td>25\.00%<\/td>/);
  const html = page(
    new Map([
      ['main;f', 3],
      ['main;g', 1],
    ]),
  );
  assert.match(html, />f<\/button><\/th><td>75\.00%<\/td><td>25\.00%<\/td><td>▼ -50\.00<\/td>/);
  assert.match(html, />g<\/button><\/th><td>25\.00%<\/td><td>0\.00%<\/td>/);
});
