/** Options whose values are options of other programs: of the compiler with one hyphen, of configure with any. */
const FLAG_VALUES: Readonly<Record<string, RegExp>> = { '--cflags': /^-[^-]/, '--configure': /^-/ };

/** Joins such an option with its value, which yargs would take for an option of ours: `--cflags=-O2 -g`. */
export function joinFlagValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [arg, next] = [args[i] as string, args[i + 1]];
    const isValue = next !== undefined && FLAG_VALUES[arg]?.test(next);
    joined.push(isValue ? `${arg}=${next}` : arg);
    if (isValue) i += 1;
  }
  return joined;
}
