/** Lines shown of a log: enough for the first errors, few enough to be read. */
const SHOWN = 20;
/** Lines that follow an error of a compiler: the code, and where in it. */
const FOLLOWING = 2;

/**
 * The lines of a build's log that say why it failed: those with errors and what follows each, as the
 * compiler, linker, configure or meson wrote them; else the last ones.
 */
export function compilerWords(log: string): string {
  const lines = log.trimEnd().split('\n');
  const errors = lines.flatMap((line, i) => (isError(line) ? [i] : []));
  if (errors.length === 0) return lines.slice(-SHOWN).join('\n');
  const shown = new Set(
    errors.flatMap((at) => Array.from({ length: FOLLOWING + 1 }, (_, following) => at + following)),
  );
  return lines
    .filter((_, i) => shown.has(i))
    .slice(0, SHOWN)
    .join('\n');
}

/** GCC and Clang: `file:line:column: error: …`; configure: `configure: error: …`; meson: `…: ERROR: …`. */
function isError(line: string): boolean {
  return /(^|[\s:])((fatal )?error|ERROR): |undefined reference to|^(make|ninja).*: \*\*\* (?!\[)/.test(
    line,
  );
}
