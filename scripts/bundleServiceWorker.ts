import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

const SOURCE = join(import.meta.dirname, '..', 'ui', 'notifications', 'serviceWorker.ts');

/**
 * Adds the service worker to the dashboard, in one file with a fixed name beside the page: browsers
 * compare it with theirs by its address, and its folder is what it is for.
 */
export const bundleServiceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  async generateBundle() {
    const { outputFiles } = await build({
      entryPoints: [SOURCE],
      bundle: true,
      format: 'iife',
      target: 'es2022',
      minify: true,
      write: false,
      logLevel: 'silent',
    });
    const [file] = outputFiles;
    if (file === undefined) throw new Error(`${SOURCE} was not built.`);
    this.emitFile({ type: 'asset', fileName: 'serviceWorker.js', source: file.text });
  },
});
