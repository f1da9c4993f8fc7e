// SPDX-License-Identifier: Apache-2.0
// build.mjs [--engine FILE] [--out FILE] [--folder FOLDER] - the workbench as one HTML file, and as
// a folder for a static host.
//
// esbuild bundles the Worker and the page (it runs on Debian 12's Node 18); the engine is included
// as gzip in base64. The Content-Security-Policy names the scripts by their SHA-256, so no others
// run, and forbids all connections.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const option = (name, fallback) =>
  resolve(process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : fallback);
const enginePath = option('--engine', here + '/../build-web/web/engine/engine.wasm');
const outPath = option('--out', here + '/../build/shoal-workbench.html');
const folderPath = option('--folder', here + '/../build/workbench');

/** One entry as one classic script. */
async function bundle(entry) {
  const made = await build({
    entryPoints: [here + '/' + entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return made.outputFiles[0].text;
}

const style = readFileSync(here + '/src/style.css', 'utf8');
const worker = await bundle('src/engine/worker.ts');
const app = await bundle('src/app.tsx');
const engine = gzipSync(readFileSync(enginePath), { level: 9 }).toString('base64');
const safe = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const digest = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = (script) =>
  `default-src 'none'; script-src ${script} 'wasm-unsafe-eval' blob:; worker-src blob:; ` +
  "style-src 'unsafe-inline' 'self'; img-src data: blob:; connect-src 'none'; " +
  "form-action 'none'; base-uri 'none'";
const page = (script, head, tail) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Shoal workbench</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
<div id="app"><p>Starting …</p></div>
<noscript><p>The workbench needs JavaScript; it runs on this computer alone.</p></noscript>
<script type="text/plain" id="worker-source">${safe(worker)}</script>
<script type="text/plain" id="engine-module">${engine}</script>
${tail}
</body>
</html>
`;

const inline = safe(app);
mkdirSync(dirname(outPath), { recursive: true });
writeFileSync(
  outPath,
  page(digest(inline), `<style>${style}</style>`, `<script>${inline}</script>`),
);
mkdirSync(folderPath, { recursive: true });
writeFileSync(folderPath + '/style.css', style);
writeFileSync(folderPath + '/workbench.js', app);
writeFileSync(
  folderPath + '/index.html',
  page(
    "'self'",
    '<link rel="stylesheet" href="style.css">',
    '<script src="workbench.js"></script>',
  ),
);
console.log(`${outPath}: ${(readFileSync(outPath).length / 1e6).toFixed(2)} MB`);
