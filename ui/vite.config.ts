import { defineConfig } from 'vite';
import solid from 'vite-plugin-solid';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [solid()],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    sourcemap: true,
    // The runner's content security policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
