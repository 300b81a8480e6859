import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

let script: string | undefined;

/** The page's script in one piece: the compiled files of `browser/`, the charts and D3's modules. */
export function bundleScript(): string {
  script ??= bundle();
  return script;
}

function bundle(): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('../browser/main.js', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]!.text.trimEnd();
}
