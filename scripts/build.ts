/**
 * npm run build [-- --no-ui] [-- --quiet]
 *
 * Builds dist/: the bundled runner, the command line, the demo and, unless --no-ui, the dashboard.
 */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Built, bundleAll } from './bundle.ts';

async function buildDashboard(): Promise<Built> {
  const started = performance.now();
  const { build } = await import('vite');
  await build({ configFile: 'ui/vite.config.ts', logLevel: 'warn' });
  const folder = 'dist/ui';
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  return {
    name: 'dashboard',
    files,
    all: files,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    ms: performance.now() - started,
  };
}

/** The deepest folder that holds all the files. */
function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  while (!files.every((file) => file.startsWith(`${folder}/`))) folder = dirname(folder);
  return folder;
}

const { values } = parseArgs({ options: { 'no-ui': { type: 'boolean' }, quiet: { type: 'boolean' } } });
process.chdir(resolve(import.meta.dirname, '..'));

async function buildAll(): Promise<Built[]> {
  const built = await bundleAll();
  return values['no-ui'] ? built : [...built, await buildDashboard()];
}

const built = await buildAll().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
if (!values.quiet) {
  for (const { name, files, bytes, ms } of built) {
    const shown = files.length === 1 ? files[0] : `${files.length} files in ${commonFolder(files)}`;
    console.log(`${name.padEnd(15)} ${(bytes / 1024).toFixed(0).padStart(6)} KiB  ${(ms / 1000).toFixed(2)} s  ${shown}`);
  }
}
