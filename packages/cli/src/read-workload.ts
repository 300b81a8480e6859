import fs from 'node:fs';
import path from 'node:path';
import { nearest, parseWorkload, UsageError, type Workload } from '@ibench/core';
import { parseDocument } from 'yaml';
import { namesIn, WORKLOADS } from './paths.ts';
import { readText } from './read-text.ts';

/** What the user said about the workload. */
export interface WorkloadChoice {
  /** Name of a preset, or path of a workload file. */
  readonly name: string;
  /** Parameters that override the file's, by name. */
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** A workload with the name it has in the store. */
export interface NamedWorkload {
  readonly name: string;
  readonly workload: Workload;
}

/**
 * Reads a preset or a workload file and applies what was set on the command line.
 *
 * @throws UsageError for an unknown preset, a file that is not YAML, or a parameter that is wrong
 */
export function readWorkload({ name, overrides }: WorkloadChoice): NamedWorkload {
  const isPath = name.includes('/') || /\.ya?ml$/.test(name);
  const file = isPath ? path.resolve(name) : path.join(WORKLOADS, `${name}.yaml`);
  if (!fs.existsSync(file)) throw unknownWorkload(name, isPath);
  const fromFile = readYaml(file);
  parseWorkload(fromFile, file);
  const changed = Object.keys(overrides);
  const workload =
    changed.length === 0
      ? parseWorkload(fromFile, file)
      : parseWorkload(
          { ...fromFile, ...overrides },
          `${path.basename(file)} with --set ${changed.join(', ')}`,
        );
  const base = isPath ? path.basename(file).replace(/\.ya?ml$/, '') : name;
  return { name: nameOf(base, overrides), workload };
}

/** A preset that was changed is another workload: what was changed is part of its name. */
function nameOf(base: string, overrides: Readonly<Record<string, unknown>>): string {
  const changes = Object.entries(overrides).filter(([name]) => name !== 'seed');
  return [base, ...changes.map(([name, value]) => `${name}=${value}`)].join(',');
}

/**
 * Reads `name=value` as given to `--set`; the value is a YAML scalar (number, true, false, null, text).
 *
 * @throws UsageError when there is no name
 */
export function parseOverride(text: string): readonly [name: string, value: unknown] {
  const match = /^([^=]+)=(.*)$/s.exec(text);
  if (match === null) {
    throw new UsageError(`--set ${text}: expected name=value, for example --set rows=1000000`);
  }
  const value = match[2] as string;
  return [(match[1] as string).trim(), toValue(parseDocument(value), `--set ${text}`)];
}

function unknownWorkload(name: string, isPath: boolean): UsageError {
  if (isPath) return new UsageError(`workload file ${name}: no such file`);
  const presets = namesIn(WORKLOADS, '.yaml');
  const near = nearest(name, presets);
  const hint = near === null ? '' : `, did you mean "${near}"?`;
  return new UsageError(`unknown preset "${name}"${hint} (presets: ${presets.join(', ')})`);
}

function readYaml(file: string): Record<string, unknown> {
  const value = toValue(parseDocument(readText(file, 'workload file')), file);
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new UsageError(
      `${file}: expected a list of name: value pairs, got ${JSON.stringify(value)}`,
    );
  }
  return value as Record<string, unknown>;
}

/** What the YAML says; an alias to nothing, or too many of them, only shows when it is resolved. */
function toValue(document: ReturnType<typeof parseDocument>, origin: string): unknown {
  const error = document.errors[0];
  if (error !== undefined) throw new UsageError(`${origin}: ${error.message}`);
  try {
    return document.toJS();
  } catch (cause) {
    throw new UsageError(`${origin}: ${(cause as Error).message}`, { cause });
  }
}
