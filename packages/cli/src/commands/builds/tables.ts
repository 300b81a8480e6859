import path from 'node:path';
import {
  type AvailableVersion,
  type Build,
  type Manifest,
  quickChanges,
  rootOf,
  sourceText,
} from '@ibench/host';
import type { Cell, Column, Table } from '@ibench/report';

/** Digits of a fingerprint that people compare by eye. */
const SHORT = 12;

const UNCHANGED = 'unchanged';
const ALTERED = 'altered';

/** The builds that can be named: the embedded one first; those that are not what was registered are marked. */
export function buildsTable(
  embedded: Build,
  manifests: readonly Manifest[],
  buildsDirectory: string,
): Table {
  const registered = manifests.map((manifest) => ({
    ...manifest,
    source: sourceText(manifest),
    root: rootOf(buildsDirectory, manifest),
    files: quickChanges(buildsDirectory, manifest).length === 0 ? UNCHANGED : ALTERED,
  }));
  const all = [{ ...embedded, files: null }, ...registered];
  const rows = all.map(({ name, version, source, fingerprint, files, root }) => [
    name,
    version,
    fingerprint.optimisation,
    fingerprint.debugAssertions ? 'on' : 'off',
    fingerprint.revision,
    fingerprint.digest.slice(0, SHORT),
    files,
    source,
    path.normalize(root),
  ]);
  const isAltered = registered.some(({ files }) => files === ALTERED);
  return tableOf({
    id: 'builds',
    title: 'Builds',
    note: `registered in ${buildsDirectory}; ibench builds install adds more`,
    columns: [
      'name',
      'version',
      'optimisation',
      'assertions',
      'revision',
      'fingerprint',
      'files',
      'source',
      'root',
    ],
    rows,
    footnotes: isAltered
      ? [
          `${ALTERED}: other files than were registered, no run takes it; ibench builds show NAME says which, and what to do`,
        ]
      : [],
  });
}

/** The versions that npm has, with the names of those that are installed. */
export function availableTable(
  available: readonly AvailableVersion[],
  manifests: readonly Manifest[],
): Table {
  const rows = available.map(({ postgres, npm }) => {
    const names = manifests
      .filter(({ source, version }) => source.kind === 'npm' && version === postgres)
      .map(({ name }) => name);
    return [postgres, npm, names.join(' ') || null];
  });
  return tableOf({
    id: 'available',
    title: 'Available from npm',
    note: 'ibench builds install VERSION … installs them',
    columns: ['version', 'npm', 'installed'],
    rows,
    footnotes: [],
  });
}

interface Content extends Pick<Table, 'id' | 'title' | 'note' | 'footnotes'> {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

function tableOf({ columns, rows, ...rest }: Content): Table {
  return {
    ...rest,
    step: null,
    columns: columns.map((key): Column => ({ key, label: key, align: 'left' })),
    rows: rows.map((values) => ({ cells: values.map(cellOf) })),
  };
}

function cellOf(value: string | null): Cell {
  const mark = value === ALTERED ? 'bad' : value === null ? 'absent' : 'none';
  return { value, text: value ?? '', mark };
}
