import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';

/** Packages that are loaded with the first agent, and use all of zod. */
const LATE = /node_modules\/(?:ai|@ai-sdk|@agentclientprotocol)\//;
const SUFFIX = '?late';
const own = { late: true };
const askedMark = { asked: true };

/**
 * Gives late packages a copy of zod of their own. A shared copy would hold everything that any of
 * them uses, and the start, which needs a few parts, would load all of it.
 */
export const apartZod: Plugin = {
  name: 'apart-zod',
  setup({ onResolve, onLoad, resolve }) {
    onResolve(
      { filter: /^(?:zod(?:\/|$)|\.)/ },
      async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === askedMark) return undefined;
        const isFirst = !path.startsWith('.') && LATE.test(importer);
        if (!isFirst && pluginData !== own) return undefined;
        const resolveResult = await resolve(path, {
          importer,
          resolveDir,
          kind,
          pluginData: askedMark,
        });
        return resolveResult.errors.length > 0
          ? { errors: resolveResult.errors }
          : {
              path: resolveResult.path,
              suffix: SUFFIX,
              sideEffects: resolveResult.sideEffects,
              pluginData: own,
            };
      },
    );
    onLoad({ filter: /node_modules\/zod\// }, async ({ path, suffix }) =>
      suffix === SUFFIX
        ? {
            contents: await readFile(path),
            loader: 'js',
            resolveDir: dirname(path),
            pluginData: own,
          }
        : undefined,
    );
  },
};
