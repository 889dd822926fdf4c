import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Built } from './bundle.ts';

/** Empties `folder` and builds the dashboard into it; its files are named by their content. */
export async function bundleDashboard(folder: string): Promise<Built> {
  const started = performance.now();
  const { build } = await import('vite');
  await build({
    configFile: 'scripts/dashboard.vite.ts',
    logLevel: 'warn',
    build: { outDir: resolve(folder) },
  });
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  return {
    name: 'dashboard',
    files,
    all: files,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    ms: performance.now() - started,
  };
}
