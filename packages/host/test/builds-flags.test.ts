import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { optimisationIn, readBinaryText } from '../src/builds/binary-text.ts';
import { buildCommands, mesonOptimisation, progressIn } from '../src/builds/build-systems.ts';
import { compilerWords } from '../src/builds/compiler-words.ts';
import { DEFAULT_CFLAGS, defaultBuildName } from '../src/builds/default-name.ts';
import { debugReasons } from '../src/builds/fingerprint.ts';
import { optimisationOf } from '../src/builds/optimisation.ts';

test('of several levels of optimisation the last counts, and none is -O0', () => {
  const expected = {
    '-O2': '-O2',
    '-Wall -O2 -g -O0': '-O0',
    '-g3': '-O0',
    '': '-O0',
    '-O': '-O1',
    '-Ofast -march=native': '-Ofast',
    '-Og -fno-omit-frame-pointer': '-Og',
    '-Wl,-O1 -O3': '-O3',
  };
  for (const [flags, level] of Object.entries(expected)) {
    assert.equal(optimisationOf(flags), level, flags);
  }
});

test('the default name of a compiled build is plain only for the default flags', () => {
  const tree = { version: '15.18', shortRevision: 'edead1a' };
  const plain = { cflags: DEFAULT_CFLAGS, options: [], system: null };
  assert.equal(defaultBuildName(tree, plain), 'pg15.18-edead1a');
  const others = [
    { ...plain, cflags: '-O0' },
    { ...plain, options: ['--without-icu'] },
    { ...plain, cflags: '-O0', options: ['--without-icu'] },
    { ...plain, system: 'meson' },
  ].map((flags) => defaultBuildName(tree, flags));
  for (const name of others) assert.match(name, /^pg15\.18-edead1a-[0-9a-f]{4}$/);
  assert.equal(new Set(others).size, others.length);
  assert.equal(defaultBuildName(tree, { ...plain, cflags: '-O0' }), others[0]);
});

test('a binary says its version and flags; without them nothing is guessed', () => {
  const strings = [
    'Options:',
    'PostgreSQL 15.18 on x86_64-pc-linux-gnu, compiled by gcc (Debian) 12.2.0, 64-bit',
    " '--prefix=/opt/pg' 'CFLAGS=-O0'",
    '-Wall -Wmissing-prototypes -O0',
  ];
  const found = readBinaryText(Buffer.from(`ELF\0\x01\xff${strings.join('\0')}\0`, 'latin1'));
  assert.deepEqual(found, {
    versionText: strings[1],
    configure: "'--prefix=/opt/pg' 'CFLAGS=-O0'",
    cflags: strings[3],
  });
  assert.equal(optimisationIn(found), '-O0');
  const mute = readBinaryText(Buffer.from('\0nothing\0'));
  assert.deepEqual(mute, { versionText: null, configure: null, cflags: null });
  assert.equal(optimisationIn(mute), null);
  const meson = '-fno-strict-aliasing -fwrapv -fexcess-precision=standard -g -O2 -Wshadow';
  const byMeson = readBinaryText(Buffer.from(`\0${meson}\0`));
  assert.deepEqual(byMeson, { ...mute, cflags: meson });
  assert.equal(optimisationIn(byMeson), '-O2');
  assert.equal(optimisationIn({ ...mute, cflags: '-fno-strict-aliasing -fwrapv -Wshadow' }), null);
  assert.equal(optimisationIn({ ...found, cflags: '-Wall -Wshadow' }), '-O0');
});

test('assertions and missing optimisation make a build for finding bugs', () => {
  const reasons = (debugAssertions: boolean, optimisation: string | null) =>
    debugReasons({ debugAssertions, optimisation }).join('; ');
  assert.equal(reasons(false, '-O2'), '');
  assert.equal(reasons(false, '-Os'), '');
  assert.equal(reasons(false, null), '');
  assert.match(reasons(true, '-O2'), /assertions are on/);
  assert.match(reasons(true, '-O0'), /assertions.*-O0/);
});

test('meson is told the level of optimisation by its own option', () => {
  const task = {
    source: '/s',
    objects: '/o',
    prefix: '/p',
    stage: '/d',
    cflags: '-O2 -g -fno-omit-frame-pointer',
    options: ['-Dcassert=true'],
    jobs: 2,
  };
  const [setup] = buildCommands('meson', task);
  for (const arg of [
    '-Doptimization=2',
    '-Ddebug=true',
    '-Dc_args=-fno-omit-frame-pointer',
    '-Dcassert=true',
  ]) {
    assert.ok(setup?.args.includes(arg), arg);
  }
  const [fast] = buildCommands('meson', { ...task, cflags: '-Ofast' });
  assert.ok(fast?.args.includes('-Doptimization=plain') && fast.args.includes('-Dc_args=-Ofast'));
  assert.equal(mesonOptimisation({ optimization: '2', c_args: '' }), '-O2');
  assert.equal(mesonOptimisation({ optimization: 'plain', c_args: '-Ofast' }), '-Ofast');
  assert.equal(mesonOptimisation({ optimization: 'plain', c_args: '' }), '-O0');
});

test('libraries are found in the build itself, wherever it lies', (t) => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-'));
  t.after(() => fs.rmSync(directory, { recursive: true }));
  const task = { source: '/s', objects: '/o', prefix: '/p', stage: '/d', cflags: '-O2', jobs: 1 };
  const paths = '$ORIGIN/../lib:$ORIGIN/..';
  const setup = (...options: string[]) => buildCommands('meson', { ...task, options })[0]?.args;
  assert.ok(setup()?.includes('-Drpath=false'));
  assert.ok(setup()?.includes(`-Dc_link_args=-Wl,-rpath,${paths}`));
  assert.ok(setup('-Dc_link_args=-flto')?.includes(`-Dc_link_args=-flto -Wl,-rpath,${paths}`));

  const makefile = ["all:\n\t@echo '$(rpathdir)'", 'ifndef SUB\n\t@$(MAKE) SUB=1\nendif\n'];
  fs.writeFileSync(path.join(directory, 'Makefile'), makefile.join('\n'));
  for (const { program, args } of buildCommands('configure', { ...task, options: [] }).slice(1)) {
    const variables = args.filter((one) => one.startsWith('rpathdir='));
    const command = ['-s', '--no-print-directory', '-C', directory, ...variables];
    assert.equal(execFileSync(program, command, { encoding: 'utf8' }), `${paths}\n${paths}\n`);
  }
});

test('of a log those lines are shown that say what is wrong', () => {
  const gcc = [
    'gcc -O2 -c -o a.o a.c',
    "a.c: In function 'f':",
    "a.c:7:3: error: 'x' undeclared (first use in this function)",
    '    7 |   x = 1;',
    '      |   ^',
    'make[2]: *** [<builtin>: a.o] Error 1',
    'make: *** [GNUmakefile:11: all] Error 2',
  ];
  assert.equal(compilerWords(gcc.join('\n')), gcc.slice(2, 5).join('\n'));
  const configure =
    'checking for zlib... no\nconfigure: error: zlib library not found\nIf you have';
  assert.match(compilerWords(configure), /^configure: error: zlib library not found\nIf you have$/);
  assert.match(compilerWords("a.o: undefined reference to `f'"), /undefined reference/);
  assert.equal(compilerWords('one\ntwo\n'), 'one\ntwo');
});

test('lines of make, ninja, configure and meson say how far a build is', () => {
  assert.deepEqual(progressIn('[12/300] Compiling C object src/a.o'), {
    what: 'Compiling C object src/a.o',
    done: 12,
    of: 300,
  });
  assert.equal(progressIn('gcc -Wall -c -o backend/main.o main.c')?.what, 'backend/main.o');
  assert.equal(progressIn('checking for gcc... gcc')?.what, 'for gcc');
  const meson = {
    'Checking for function "strlcpy" : NO': 'Checking for function "strlcpy"',
    'Checking for size of "void *" : 8': 'Checking for size of "void *"',
    'Run-time dependency zlib found: YES 1.2.13': 'Run-time dependency zlib',
  };
  for (const [line, what] of Object.entries(meson)) assert.equal(progressIn(line)?.what, what);
  assert.equal(progressIn('Version: 1.0.1'), null);
  assert.equal(progressIn('a.c:7: warning: unused'), null);
  assert.equal(progressIn('make -C src all'), null);
});
