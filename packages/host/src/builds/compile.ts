import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { RunError, UsageError } from '@ibench/core';
import { execa } from 'execa';
import { plainEnvironment } from '../process.ts';
import type { Build } from './build.ts';
import {
  type BuildSystem,
  buildCommands,
  mesonOptimisation,
  progressIn,
  readMesonOptions,
} from './build-systems.ts';
import { buildFolder, checkBuildName } from './builds-directory.ts';
import { inCompileLock } from './compile-lock.ts';
import { compilerWords } from './compiler-words.ts';
import { defaultBuildName } from './default-name.ts';
import { takeFingerprint } from './fingerprint.ts';
import { runLogged } from './logged-command.ts';
import type { CompiledSource, Manifest } from './manifest.ts';
import { INSTALLATION, register } from './register.ts';
import { findRegistered, listManifests, registeredManifest, sourceText } from './registered.ts';
import { copySource, type SourceChoice, type SourceTree } from './source-tree.ts';
import { inWorkshop } from './workshop.ts';

export interface CompileOptions extends SourceChoice {
  readonly buildsDirectory: string;
  /** null: the default one, see defaultBuildName. */
  readonly name: string | null;
  readonly cflags: string;
  /** Further options of configure, or of meson setup. */
  readonly options: readonly string[];
  /** null: meson where the source and the host have it, else configure. */
  readonly system: BuildSystem | null;
  readonly jobs: number;
  /** PATH: compilers are often not in the system's directories. */
  readonly path: string;
  /** Told what is being done now, and a line that stays. */
  readonly progress: (text: string) => void;
  readonly say: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** What was compiled, or found. */
export interface Compiled {
  readonly build: Build;
  /** Nothing was compiled: the same source was compiled before with the same flags. */
  readonly isCached: boolean;
}

interface Plan extends CompileOptions {
  readonly name: string;
  /** How the name came about, for messages. */
  readonly nameSource: string;
  readonly tree: SourceTree;
  readonly system: BuildSystem;
  readonly cacheKey: string;
}

/**
 * Compiles and registers a build. The source is copied first, so that nothing is written into it and nothing
 * changes meanwhile. What was compiled before from the same revision with the same flags is not compiled again,
 * and what another process is compiling is waited for.
 *
 * @throws RunError with the compiler's words and the log that has the others
 */
export async function compileBuild(options: CompileOptions): Promise<Compiled> {
  const { buildsDirectory } = options;
  if (options.name !== null) checkBuildName(options.name);
  return inWorkshop(buildsDirectory, async (workshop) => {
    const tree = await copySource(options, path.join(workshop, 'source'));
    const plan = await makePlan(options, tree);
    const lock = {
      key: sha256([path.resolve(buildsDirectory), plan.cacheKey]),
      onWait: () => plan.say('another process is compiling the same: waiting for it'),
      ...(plan.signal === undefined ? {} : { signal: plan.signal }),
    };
    return await inCompileLock(lock, () => findOrCompile(plan, workshop));
  });
}

async function findOrCompile(plan: Plan, workshop: string): Promise<Compiled> {
  const { buildsDirectory } = plan;
  const known = listManifests(buildsDirectory).manifests.filter(
    ({ source }) => source.kind === 'compiled' && source.cacheKey === plan.cacheKey,
  );
  const same = known.find(({ name }) => name === plan.name);
  if (same !== undefined) {
    return { build: findRegistered(buildsDirectory, same.name) as Build, isCached: true };
  }
  refuseTaken(plan);
  const [other] = known;
  if (other !== undefined) return { build: await copyBuild(plan, other, workshop), isCached: true };
  return { build: await compile(plan, workshop), isCached: false };
}

async function makePlan(options: CompileOptions, tree: SourceTree): Promise<Plan> {
  const preferred = await preferredSystem(options, tree);
  const system = options.system ?? preferred;
  refuseBlanks(system, options.buildsDirectory);
  const chosen = { ...options, system: system === preferred ? null : system };
  const name = checkBuildName(
    options.name === null
      ? defaultBuildName(tree, chosen)
      : `${options.name}${tree.isDirty ? '-dirty' : ''}`,
  );
  const nameSource = options.name === null ? 'the default name' : '--name';
  const compiler = await firstLine('cc', ['--version'], options.path);
  const cacheKey = sha256([tree.revision, system, options.cflags, options.options, compiler]);
  return { ...options, name, nameSource, tree, system, cacheKey };
}

/** Source, objects and prefix are all below the folder of builds. */
function refuseBlanks(system: BuildSystem, buildsDirectory: string): void {
  if (system !== 'configure' || !/\s/.test(path.resolve(buildsDirectory))) return;
  throw new UsageError(
    `builds in "${buildsDirectory}": make, which configure is followed by, takes no blanks in a path; name another folder with --builds-dir or IBENCH_BUILDS`,
  );
}

function sha256(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

async function preferredSystem(
  options: CompileOptions,
  { hasMeson }: SourceTree,
): Promise<BuildSystem> {
  if (!hasMeson) return 'configure';
  const tools = ['meson', 'ninja'].map((tool) => firstLine(tool, ['--version'], options.path));
  return (await Promise.all(tools)).includes(null) ? 'configure' : 'meson';
}

async function firstLine(
  program: string,
  args: readonly string[],
  PATH: string,
): Promise<string | null> {
  const { failed, stdout } = await execa(program, args, {
    env: { ...plainEnvironment(), PATH },
    extendEnv: false,
    reject: false,
  });
  return failed ? null : (stdout.split('\n')[0] as string);
}

function refuseTaken({ buildsDirectory, name, nameSource, tree, cflags, options }: Plan): void {
  const taken = registeredManifest(buildsDirectory, name);
  if (taken === null) return;
  const { source, fingerprint } = taken;
  const how =
    source.kind === 'compiled' ? ` with ${[source.cflags, ...source.options].join(' ')}` : '';
  throw new UsageError(
    `${nameSource} ${name}: taken by another build (${sourceText(taken)}, revision ${fingerprint.revision}${how}); this is revision ${tree.revision} with ${[cflags, ...options].join(' ')}: give another one with --name, or remove that one (ibench builds remove ${name})`,
  );
}

async function copyBuild(plan: Plan, other: Manifest, workshop: string): Promise<Build> {
  const { buildsDirectory, name } = plan;
  plan.say(`${other.name} was compiled from the same source with the same flags: it is copied`);
  const from = findRegistered(buildsDirectory, other.name) as Build;
  const folder = path.join(workshop, 'build');
  const to = path.join(folder, INSTALLATION);
  fs.cpSync(from.root, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const { format: _, registeredAt: __, ...manifest } = other;
  return await register(buildsDirectory, folder, { ...manifest, name });
}

async function compile(plan: Plan, workshop: string): Promise<Build> {
  const { buildsDirectory, name, tree, system } = plan;
  const prefix = path.join(buildFolder(buildsDirectory, name), INSTALLATION);
  const [objects, stage, folder] = ['objects', 'stage', 'build'].map((part) => {
    const directory = path.join(workshop, part);
    fs.mkdirSync(directory);
    return directory;
  }) as [string, string, string];
  const started = performance.now();
  const log = newLog(plan);
  const task = { ...plan, source: tree.directory, objects, prefix, stage };
  plan.say(`compiling ${name} with ${system}, log in ${log}`);
  for (const { what, program, args } of buildCommands(system, task)) {
    const environment = { ...plainEnvironment(), PATH: plan.path };
    const onLine = showProgress(plan, what, started);
    const { signal } = plan;
    const command = { program, args, directory: objects, environment, log, onLine, signal };
    if (!(await runLogged(command))) {
      const words = compilerWords(fs.readFileSync(log, 'utf8'));
      throw new RunError(`${what} of ${name} failed:\n${words}\neverything it said: ${log}`);
    }
  }
  fs.renameSync(path.join(stage, prefix), path.join(folder, INSTALLATION));
  const mesonOptions = system === 'meson' ? readMesonOptions(objects) : null;
  const source: CompiledSource = {
    kind: 'compiled',
    source: path.resolve(plan.source),
    ref: plan.ref,
    system,
    cflags: plan.cflags,
    options: [...plan.options],
    mesonOptions,
    cacheKey: plan.cacheKey,
    log,
    seconds: (performance.now() - started) / 1000,
  };
  const fingerprint = await takeFingerprint(path.join(folder, INSTALLATION), {
    revision: tree.revision,
    ...(mesonOptions === null ? {} : { optimisation: mesonOptimisation(mesonOptions) }),
  });
  const { version } = tree;
  const root = INSTALLATION;
  return await register(buildsDirectory, folder, { name, version, root, source, fingerprint });
}

/** Logs are kept, also of what failed. */
function newLog({ buildsDirectory, name }: Plan): string {
  const logs = path.join(buildsDirectory, '.logs');
  fs.mkdirSync(logs, { recursive: true });
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return path.join(logs, `${name}-${time}.log`);
}

function showProgress(plan: Plan, what: string, started: number): (line: string) => void {
  let steps = 0;
  return (line) => {
    const found = progressIn(line);
    if (found === null) return;
    steps += 1;
    const far = found.of === null ? `${steps}` : `${found.done} of ${found.of}`;
    const seconds = Math.floor((performance.now() - started) / 1000);
    plan.progress(`  ${what} ${plan.name}  ${seconds} s  ${far}  ${path.basename(found.what)}`);
  };
}
