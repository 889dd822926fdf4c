import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { listModule, lookupModule, MEDIA_TYPES } from './mediaTypes.ts';

/**
 * Package files that each start loads and never uses, and a replacement with the members that
 * importers read.
 */
const UNUSED: readonly (readonly [file: RegExp, instead: string])[] = [
  // Bodies of requests are UTF-8; these are the other encodings.
  [/\/iconv-lite\/encodings\/(?:dbcs-data|sbcs-data-generated)\.js$/, 'module.exports = {};'],
  // Forms, with a parser of their own: bodies are JSON.
  [
    /\/co-body\/lib\/form\.js$/,
    "module.exports = () => Promise.reject(new Error('svc reads no forms'));",
  ],
  // Proxies of web-push, which svc only encrypts with: its messages are sent as all requests are.
  [/\/https-proxy-agent\/dist\/index\.js$/, 'module.exports = {};'],
  // Mock agents, WebSockets, caches and a fetch of its own: svc gives its agents to Node's fetch, or
  // sends through them with `request`. The package gives them their methods here, of which a proxy needs `connect`.
  [
    /\/undici\/index\.js$/,
    `const { getGlobalDispatcher, setGlobalDispatcher } = require('./lib/global.js');
    Object.assign(require('./lib/dispatcher/dispatcher.js').prototype, require('./lib/api/index.js'));
    module.exports = {
      Agent: require('./lib/dispatcher/agent.js'),
      EnvHttpProxyAgent: require('./lib/dispatcher/env-http-proxy-agent.js'),
      getGlobalDispatcher,
      setGlobalDispatcher,
    };`,
  ],
  // What gray-matter reads YAML with when it is given nothing else; it looks for esprima on disk.
  [
    /\/js-yaml\/index\.js$/,
    `const refuse = () => { throw new Error('js-yaml is not part of svc'); };
    module.exports = { safeLoad: refuse, safeDump: refuse };`,
  ],
];

/** The newest version, which the others of it can be replaced by: it makes the same errors. */
const HTTP_ERRORS = resolve('node_modules/http-errors/index.js');

/** Leaves out what packages bring along and the runner never uses, and keeps one list of types and one package of errors. */
export const slimPackages: Plugin = {
  name: 'slim-packages',
  setup({ onResolve, onLoad }) {
    for (const [filter, contents] of UNUSED) onLoad({ filter }, () => ({ contents, loader: 'js' }));
    // Each of koa's parts brings a version of its own.
    onResolve({ filter: /^http-errors$/ }, () => ({ path: HTTP_ERRORS }));
    onResolve({ filter: /^mime-types$/ }, () => ({ path: MEDIA_TYPES.lookup }));
    onLoad({ filter: /\/mime-types\/index\.js$/ }, async ({ path }) => ({
      contents: lookupModule(await readFile(path, 'utf8')),
      loader: 'js',
    }));
    onResolve({ filter: /^mime-db$/ }, () => ({ path: MEDIA_TYPES.list }));
    onLoad({ filter: /\/mime-db\/db\.json$/ }, async ({ path }) => ({
      contents: listModule(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};
