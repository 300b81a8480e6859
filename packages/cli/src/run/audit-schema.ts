import { type Audit, postgresDialect, type TableOptions } from '@ibench/core';
import type { IndexState } from '@ibench/host';

/**
 * Have the tables the indexes that they must have? Those that once had not make every later step invalid
 * as well, also when an index is made again: it is a new one, without the dead entries that it should have.
 */
export class SchemaWatch {
  readonly #tables: readonly string[];
  readonly #options: Pick<TableOptions, 'secondary_indexes'>;
  #isIndexed: boolean;
  /** The first index seen of each name. */
  readonly #first = new Map<string, IndexState>();
  #found: { readonly where: string; readonly faults: Set<string> } | null = null;

  /** @param isIndexed have the secondary indexes been built when the watch begins? */
  constructor(
    tables: readonly string[],
    options: Pick<TableOptions, 'secondary_indexes'>,
    isIndexed: boolean,
  ) {
    this.#tables = tables;
    this.#options = options;
    this.#isIndexed = isIndexed;
  }

  /**
   * The verdict on a step that has just ended.
   *
   * @param step with whether the secondary indexes are built in it
   */
  end(step: { readonly name: string; readonly builds: boolean }, indexes: IndexState[]): Audit {
    this.#isIndexed ||= step.builds;
    const faults = this.#tables.flatMap((table) => this.#faultsOf(table, indexes));
    faults.push(...this.#strays(indexes));
    if (faults.length > 0) {
      this.#found ??= { where: `at the end of ${step.name}`, faults: new Set() };
      for (const fault of faults) this.#found.faults.add(fault);
    }
    const found = this.#found;
    return {
      name: 'schema',
      verdict: found === null ? 'ok' : 'invalid',
      value: found?.faults.size ?? 0,
      bound: 0,
      reason:
        found === null
          ? `the tables have the ${indexes.length} indexes that they must have`
          : `the tables did not keep their indexes, as was found ${found.where}: ${[...found.faults].join('; ')}`,
    };
  }

  #namesOf(table: string): readonly string[] {
    return this.#isIndexed ? postgresDialect.indexNames(table, this.#options) : [];
  }

  /** What is missing. */
  #faultsOf(table: string, indexes: readonly IndexState[]): string[] {
    const own = indexes.filter((index) => index.table === table);
    const missing = this.#namesOf(table).filter((name) => !own.some((one) => one.name === name));
    return [
      ...(own.some(({ isPrimary }) => isPrimary) ? [] : [`${table} has no primary key`]),
      ...missing.map((name) => `${name} is missing`),
    ];
  }

  /** What is there and should not be, or not be like that. */
  #strays(indexes: readonly IndexState[]): string[] {
    const wanted = new Set(this.#tables.flatMap((table) => this.#namesOf(table)));
    return indexes.flatMap((index) => {
      const { name, table, isPrimary, isUsable, identity } = index;
      if (!this.#first.has(name)) this.#first.set(name, index);
      const isWanted = wanted.has(name) || (isPrimary && this.#tables.includes(table));
      return [
        ...(isWanted ? [] : [`${name} on ${table} should not be there`]),
        ...(isUsable ? [] : [`${name} is not valid`]),
        ...(this.#first.get(name)?.identity === identity ? [] : [`${name} was made anew`]),
      ];
    });
  }
}
