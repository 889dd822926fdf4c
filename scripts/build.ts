/**
 * npm run build [-- --no-ui] [-- --quiet]
 *
 * Builds dist/: the bundled runner, the command line, the demo and, unless --no-ui, the dashboard.
 */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    ms: performance.now() - started,
  };
}

const { values } = parseArgs({ options: { 'no-ui': { type: 'boolean' }, quiet: { type: 'boolean' } } });
process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), '..'));

const built = await bundleAll();
if (!values['no-ui']) built.push(await buildDashboard());
if (!values.quiet) {
  for (const { name, files, bytes, ms } of built) {
    const shown = files.length === 1 ? files[0] : `${files.length} files below ${dirname(files[0] ?? '')}`;
    console.log(`${name.padEnd(15)} ${(bytes / 1024).toFixed(0).padStart(6)} KiB  ${(ms / 1000).toFixed(2)} s  ${shown}`);
  }
}
