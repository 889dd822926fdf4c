import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Files of packages that are loaded at each start and never used, and what is loaded instead of
 * each: that which those that load it look at.
 */
const UNUSED: readonly (readonly [file: RegExp, instead: string])[] = [
  // Bodies of requests are UTF-8; these are the other encodings.
  [/\/iconv-lite\/encodings\/(?:dbcs-data|sbcs-data-generated)\.js$/, 'module.exports = {};'],
  // Forms, with a parser of their own: bodies are JSON.
  [
    /\/co-body\/lib\/form\.js$/,
    "module.exports = () => Promise.reject(new Error('svc reads no forms'));",
  ],
  // What gray-matter reads YAML with when it is given nothing else; it looks for esprima on disk.
  [
    /\/js-yaml\/index\.js$/,
    `const refuse = () => { throw new Error('js-yaml is not part of svc'); };
    module.exports = { safeLoad: refuse, safeDump: refuse };`,
  ],
];

/** Leaves out what packages bring along and the runner never uses, and keeps one list of types. */
export const slimPackages: Plugin = {
  name: 'slim-packages',
  setup({ onResolve, onLoad }) {
    for (const [filter, contents] of UNUSED) onLoad({ filter }, () => ({ contents, loader: 'js' }));
    // Each of koa's parts brings a version of its own; the newest has all that the others have.
    onResolve({ filter: /^mime-db$/ }, () => ({
      path: resolve('node_modules/mime-db/db.json'),
    }));
    // As a text it is read in a fifth of the time that the program takes which it would be.
    onLoad({ filter: /\/mime-db\/db\.json$/ }, async ({ path }) => {
      const types: unknown = JSON.parse(await readFile(path, 'utf8'));
      return {
        contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(types))});`,
        loader: 'js',
      };
    });
  },
};
