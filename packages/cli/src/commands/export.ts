import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '@ibench/core';
import { EXPORT_FORMATS, type ExportFormat, exportText } from '@ibench/report';
import { inSnapshot, listRuns, readView, type Store, viewNames } from '@ibench/store';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { humanTerminal, streamResult } from '../environment.ts';
import { chosenRuns } from '../load-report.ts';
import { writeWhole } from '../write-whole.ts';
import { STORE_OPTIONS } from './run-options.ts';
import { TABLE_OPTIONS } from './table-options.ts';
import { withStore } from './with-store.ts';

const EXPORT_OPTIONS = {
  ...STORE_OPTIONS,
  view: { type: 'string', describe: 'view to export, as docs/STORE.md describes them' },
  all: { type: 'boolean', default: false, describe: 'every view, a file each, in --out' },
  run: TABLE_OPTIONS.run,
  format: {
    choices: EXPORT_FORMATS,
    default: 'csv' as ExportFormat,
    describe: 'how to write; json is an array with one object a line',
  },
  out: {
    type: 'string',
    describe: 'file, or with --all folder, to write to (default: standard output)',
  },
} as const satisfies Record<string, Options>;

type ExportArguments = InferredOptionTypes<typeof EXPORT_OPTIONS>;

/** `ibench export`: the views of the store, streamed. */
export const exportCommand: CommandModule<object, ExportArguments> = {
  command: 'export',
  describe: 'Write a view of the store, or all of them, as CSV, TSV or JSON',
  builder: (yargs) =>
    yargs
      .options(EXPORT_OPTIONS)
      .example('ibench export --view metrics > metrics.csv', 'a row per run and step')
      .example(
        'ibench export --view per_second --run pg18.4.base --format tsv | head',
        'each second of the runs with a tag',
      )
      .example('ibench export --all --format json --out exported', 'a file for every view')
      .epilogue('Rows are streamed: an export takes the same memory however large the store is.'),
  handler: (args) => {
    const destination = checkDestination(args);
    return withStore(args, (store) => inSnapshot(store, () => write(store, args, destination)));
  },
};

type Destination =
  | { readonly kind: 'stdout'; readonly view: string }
  | { readonly kind: 'file'; readonly view: string; readonly file: string }
  | { readonly kind: 'folder'; readonly folder: string };

function checkDestination({ view, all, out }: ExportArguments): Destination {
  if (all === (view !== undefined)) {
    throw new UsageError('expected either --view NAME or --all; the views are in docs/STORE.md');
  }
  const there = out !== undefined && fs.existsSync(out) ? fs.statSync(out) : undefined;
  if (view === undefined) {
    if (out === undefined)
      throw new UsageError('--all writes a file for every view: give --out FOLDER');
    if (there?.isDirectory() === false) {
      throw new UsageError(`--out ${out}: expected a folder for --all, this is a file`);
    }
    return { kind: 'folder', folder: path.resolve(out) };
  }
  if (out === undefined) return { kind: 'stdout', view };
  if (there?.isDirectory()) {
    throw new UsageError(`--out ${out}: expected a file for --view, this is a folder`);
  }
  return { kind: 'file', view, file: path.resolve(out) };
}

async function write(store: Store, args: ExportArguments, destination: Destination): Promise<void> {
  const runIds = args.run.length === 0 ? undefined : chosenRuns(args.run, listRuns(store));
  const text = (view: string): Generator<string> => {
    const { columns, rows } = readView(store, view, runIds);
    return exportText(columns, rows, args.format);
  };
  if (destination.kind === 'stdout') return await streamResult(text(destination.view));
  const terminal = humanTerminal();
  const views =
    destination.kind === 'file'
      ? [[destination.view, destination.file] as const]
      : viewNames(store).map(
          (view) => [view, path.join(destination.folder, `${view}.${args.format}`)] as const,
        );
  for (const [view, file] of views) {
    const bytes = await writeWhole(file, text(view));
    terminal.write(`${view}: ${bytes.toLocaleString('en-US')} bytes in ${file}\n`);
  }
}
