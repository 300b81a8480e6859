/**
 * The optimisation level that a C compiler takes from its flags: the last `-O…` counts, none means -O0, and
 * a bare -O means -O1 (GCC's and Clang's manuals, "Options That Control Optimization").
 */
export function optimisationOf(cflags: string): string {
  const levels = cflags.split(/\s+/).filter((flag) => /^-O(\d+|s|g|z|fast)?$/.test(flag));
  const last = levels.at(-1) ?? '-O0';
  return last === '-O' ? '-O1' : last;
}
