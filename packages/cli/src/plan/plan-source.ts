import { type PlanProblem, UsageError } from '@ibench/core';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { readText } from '../read-text.ts';

/** A plan's file as YAML reads it. */
export interface PlanSource {
  /** The path that the user gave, for messages. */
  readonly file: string;
  readonly text: string;
  /** Maps, lists and scalars. */
  readonly value: unknown;
  /** One error for all problems, each with file, line and column, in the order of the file. */
  error(problems: readonly PlanProblem[]): UsageError;
}

interface Finding {
  /** Where it begins, characters from the start of the file. */
  readonly offset: number;
  readonly message: string;
}

/**
 * Reads a YAML file and remembers where everything is.
 *
 * @throws UsageError for a file that cannot be read, or with every place where it is not YAML
 */
export function readPlanSource(file: string): PlanSource {
  const text = readText(file, 'plan file');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const fail = (findings: readonly Finding[]) => describe(file, lines, findings);
  const mistakes = [...document.errors, ...document.warnings];
  if (mistakes.length > 0) {
    throw fail(
      mistakes.map(({ code, message, pos: [start] }) => ({
        offset: start,
        message:
          code === 'DUPLICATE_KEY'
            ? `the key ${/^[^:\s]+/.exec(text.slice(start))?.[0]} is there twice: expected once`
            : `not YAML: ${message}`,
      })),
    );
  }
  return {
    file,
    text,
    value: toValue(document, fail),
    error: (problems) =>
      fail(
        problems.map(({ path, at, message }) => ({
          offset: offsetOf(document, path, at),
          message: at === 'key' || path.length === 0 ? message : `${nameOf(path)}: ${message}`,
        })),
      ),
  };
}

/** An alias to nothing, or too many of them, only shows when it is resolved. */
function toValue(document: Document, fail: (findings: readonly Finding[]) => UsageError): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    let offset = 0;
    visit(document, {
      Alias: (_, alias) => {
        offset = alias.range?.[0] ?? 0;
        return visit.BREAK;
      },
    });
    throw fail([{ offset, message: `not usable YAML: ${(cause as Error).message}` }]);
  }
}

/** Where the value or its key is; of what the file does not have, where its nearest parent is. */
function offsetOf(document: Document, path: PlanProblem['path'], at: PlanProblem['at']): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  path.forEach((key, i) => {
    const parent = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(parent) ? findPair(parent, key) : undefined;
    const child = isSeq(parent) ? parent.items[Number(key)] : pair?.value;
    const isKey = at === 'key' && i === path.length - 1;
    offset = (isKey ? startOf(pair?.key) : startOf(child)) ?? startOf(pair?.key) ?? offset;
    node = child;
  });
  return offset;
}

function findPair(map: YAMLMap, key: string | number) {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key));
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}

/** `builds[0].tag`, counted from 0 as in JSON. */
function nameOf(path: PlanProblem['path']): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`))
    .join('');
}

function describe(file: string, lines: LineCounter, findings: readonly Finding[]): UsageError {
  const texts = [...findings]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, message }) => {
      const { line, col } = lines.linePos(offset);
      return `${file}:${Math.max(1, line)}:${Math.max(1, col)}: ${message}`;
    });
  const [first] = texts;
  return new UsageError(
    texts.length === 1 && first !== undefined
      ? first
      : [`${file}: ${texts.length} problems`, ...texts].join('\n'),
  );
}
