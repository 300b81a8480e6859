import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  DOCTOR_STATUSES,
  type DoctorFinding,
  type DoctorStatus,
  doctorVerdict,
  runDoctor,
} from '../src/doctor/index.ts';

const DOCUMENTATION = new URL('../../../../docs/DOCTOR.md', import.meta.url);

async function withDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ibench-doctor-'));
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

function find(findings: readonly DoctorFinding[], check: string): DoctorFinding {
  const found = findings.find((finding) => finding.check === check);
  assert.ok(found, check);
  return found;
}

test('the doctor examines this machine, leaves nothing behind, and each check is documented', async () => {
  await withDirectory(async (directory) => {
    const findings = await runDoctor({ directory, serverUser: 'nobody' });
    assert.deepEqual(await readdir(directory), []);
    for (const { check, status, found, advice } of findings) {
      assert.ok(DOCTOR_STATUSES.includes(status), check);
      assert.ok(found.length > 0, check);
      assert.equal(found.includes('\n'), false, check);
      if (status === 'warn' || status === 'bad') assert.ok(advice, check);
    }
    assert.equal(find(findings, 'node').status, 'ok');
    assert.equal(find(findings, 'directory').status, 'ok');
    assert.match(find(findings, 'flush latency').found, /^median .* over \d+ × /);
    assert.match(find(findings, 'free disk').found, / free$/);

    const documentation = await readFile(DOCUMENTATION, 'utf8');
    const rows = [...documentation.matchAll(/^\| `([^`]+)`\s*\|/gm)].map(([, name]) => name);
    assert.deepEqual(
      findings.map((finding) => finding.check),
      rows,
    );
  });
});

test('a directory that does not exist yet is examined at its parent and not created', async () => {
  await withDirectory(async (directory) => {
    const findings = await runDoctor({ directory: join(directory, 'a', 'b') });
    assert.equal(find(findings, 'directory').found, `${directory} can be written`);
    assert.deepEqual(await readdir(directory), []);
  });
});

test('a file in place of the directory is bad, and its flushes are unknown', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    const findings = await runDoctor({ directory: file });
    assert.equal(find(findings, 'directory').status, 'bad');
    assert.equal(find(findings, 'flush latency').status, 'unknown');
    assert.deepEqual(await readdir(directory), ['file']);
  });
});

test('as root, a directory closed to the server user is bad; otherwise the server is this user', async () => {
  await withDirectory(async (directory) => {
    const closed = join(directory, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const findings = await runDoctor({ directory: closed, serverUser: 'nobody' });
    const access = find(findings, 'directory access');
    if (process.getuid?.() === 0) {
      assert.equal(access.status, 'bad');
      assert.match(access.found, /^nobody cannot enter .*\(mode 0700\)$/);
      assert.equal(find(await runDoctor({ directory }), 'server user').status, 'bad');
    } else {
      assert.equal(access.status, 'ok');
    }
  });
});

test('the verdict is the worst finding, with all of them counted', () => {
  const findings = (...statuses: DoctorStatus[]) =>
    statuses.map((status) => ({ check: status, status, found: 'x', advice: null }));
  assert.equal(doctorVerdict(findings('ok', 'ok')).status, 'ok');
  assert.equal(doctorVerdict(findings('ok', 'unknown')).status, 'unknown');
  assert.equal(doctorVerdict(findings('warn', 'unknown', 'ok')).status, 'warn');
  assert.equal(doctorVerdict([]).status, 'unknown');
  const worst = doctorVerdict(findings('warn', 'bad', 'warn', 'ok'));
  assert.deepEqual(worst.counts, { ok: 1, unknown: 0, warn: 2, bad: 1 });
  assert.equal(worst.status, 'bad');
  assert.match(worst.text, /^1 bad, 2 warnings, 0 unknown, 1 ok: /);
});
