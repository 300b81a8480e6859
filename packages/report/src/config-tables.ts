import { BLANK, numberCell, numberColumn, wordCell, wordColumn } from './cell.ts';
import type { Cell, Row, Table } from './table.ts';

/** A configuration of the server in a list. */
export interface ConfigSummary {
  readonly name: string;
  readonly description: string | null;
  /** `13-17`, `any`. */
  readonly versions: string;
  readonly includes: readonly string[];
  /** How many settings it has, included ones too. */
  readonly settings: number;
}

/** A list of configurations. */
export function configsTable(configs: readonly ConfigSummary[]): Table {
  return {
    id: 'configs',
    step: null,
    title: 'Configurations',
    note: 'versions: of the server, 12- is 12 and newer; settings: with the included ones',
    columns: [
      wordColumn('name'),
      wordColumn('versions'),
      numberColumn('settings'),
      wordColumn('includes'),
      wordColumn('description'),
    ],
    rows: configs.map(({ name, description, versions, includes, settings }) => ({
      cells: [
        wordCell(name),
        wordCell(versions),
        numberCell(settings, 0),
        includes.length === 0 ? BLANK : wordCell(includes.join(', ')),
        description === null ? BLANK : wordCell(description),
      ],
    })),
    footnotes: [],
  };
}

/** A setting as it is under one configuration. */
export interface ComparedSetting {
  /** With its unit; null: the build does not have it. */
  readonly value: string | null;
  /** Where it is set; null: it has the build's default. */
  readonly setBy: { readonly origin: string; readonly expression: string | null } | null;
}

/** A setting that one of two configurations sets. */
export interface ComparedPair {
  readonly name: string;
  readonly a: ComparedSetting;
  readonly b: ComparedSetting;
}

/** What differs between two configurations on a build; of what is the same only the number is told. */
export function configDiffTable(
  { a, b, build }: { readonly a: string; readonly b: string; readonly build: string },
  pairs: readonly ComparedPair[],
): Table {
  const different = pairs.filter((pair) => pair.a.value !== pair.b.value);
  const same = pairs.length - different.length;
  return {
    id: 'config-diff',
    step: null,
    title: `Settings of ${a} and ${b} on ${build}`,
    note: 'Values as the build would have them, and where they come from',
    columns: [
      wordColumn('setting'),
      wordColumn('a', a),
      wordColumn('b', b),
      wordColumn('a_from', `${a}: from`),
      wordColumn('b_from', `${b}: from`),
    ],
    rows: different.map(diffRow),
    footnotes: [
      ...(different.length === 0 ? ['no setting differs'] : []),
      ...(same === 0 ? [] : [`${same} more that at least one sets: the same in both`]),
    ],
  };
}

function diffRow({ name, a, b }: ComparedPair): Row {
  return { cells: [wordCell(name), valueCell(a), valueCell(b), originCell(a), originCell(b)] };
}

function valueCell({ value }: ComparedSetting): Cell {
  return value === null ? { ...BLANK, text: 'not set' } : wordCell(value);
}

function originCell({ setBy }: ComparedSetting): Cell {
  if (setBy === null) return wordCell('default');
  const { origin, expression } = setBy;
  return wordCell(expression === null ? origin : `${origin}, ${expression}`);
}
