import { defineConfig } from 'vite';
import { join } from 'node:path';
import solid from 'vite-plugin-solid';
import { compressAssets } from './compressAssets.ts';
import { dashboardChunks } from './dashboardChunks.ts';
import { bundleServiceWorker } from './bundleServiceWorker.ts';
import { preloadFont } from './preloadFont.ts';
import { thirdParty } from './thirdParty.ts';

const notices = thirdParty(join(import.meta.dirname, '..'));

export default defineConfig({
  root: join(import.meta.dirname, '..', 'ui'),
  base: '/dashboard/',
  plugins: [solid(), preloadFont(), bundleServiceWorker(), compressAssets(), notices.page],
  // Modules, which load the languages that they need.
  worker: { format: 'es', plugins: () => [notices.worker] },
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    sourcemap: true,
    // One file of 40 KB: a browser never asks again for a part's style sheet that could not be
    // loaded.
    cssCodeSplit: false,
    // Most is loaded when it is first needed: the editor, and what lays charts out.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: dashboardChunks } },
    },
    // The runner's content security policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
