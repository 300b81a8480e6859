/** An argument that may hold a connection string, with stars in place of its password. */
export function hidePassword(argument: string): string {
  return argument
    .replace(/(postgres(?:ql)?:\/\/[^:/?#]*):.*@/is, '$1:***@')
    .replace(/(password\s*=\s*)('(?:[^'\\]|\\.)*'?|[^\s&]+)/gis, '$1***');
}
