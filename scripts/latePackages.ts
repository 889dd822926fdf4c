import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** CommonJS packages that sources import and no start uses; the first workflow file does. */
const LATE = ['yaml'];
const NAMESPACE = 'late';

function lateModule(name: string): string {
  const names = Object.keys(Object(createRequire(import.meta.url)(name)));
  return names
    .map((one) => {
      const key = JSON.stringify(one);
      return `Object.defineProperty(exports, ${key}, { enumerable: true, get: () => require(${JSON.stringify(name)})[${key}] });`;
    })
    .join('\n');
}

/** Lets our sources load such packages on first use; they stay part of the build. */
export const latePackages: Plugin = {
  name: 'late-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:${LATE.join('|')})$`) }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement'
        ? { path, namespace: NAMESPACE, pluginData: resolveDir }
        : undefined,
    );
    onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path, pluginData }) => ({
      contents: lateModule(path),
      resolveDir: pluginData,
      loader: 'js',
    }));
  },
};
