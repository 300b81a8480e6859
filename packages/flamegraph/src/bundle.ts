import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const scripts = new Map<string, string>();

/** A compiled file for browsers and all that it imports in one piece, to be put into a script element of a page. */
export function bundleScript(entry: URL): string {
  const script = scripts.get(entry.href) ?? bundle(entry);
  scripts.set(entry.href, script);
  return script;
}

function bundle(entry: URL): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]!.text.trimEnd().replaceAll('</script', '<\\/script');
}
