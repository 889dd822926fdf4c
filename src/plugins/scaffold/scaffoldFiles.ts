import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import { PLUGIN_ID } from '../../contract/schema/runner/pluginId.ts';
import { DECIDER } from './kinds/decider.ts';
import { EXECUTOR } from './kinds/executor.ts';
import type { ScaffoldKind } from './kinds/kind.ts';
import { SCM } from './kinds/scm.ts';
import { TRACKER } from './kinds/tracker.ts';
import { PLUGIN_TYPES } from './pluginTypes.generated.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a new plugin into a folder that is not there yet; answers its files. Throws SvcError
 * `conflict` for one that is.
 */
export async function writeScaffold(id: string, kind: string, dir: string): Promise<string[]> {
  const files = scaffoldFiles(id, kind);
  try {
    await mkdir(dir);
  } catch (error) {
    throw new SvcError(
      'conflict',
      `The folder ${dir} cannot be created: ${toErrorMessage(error)}. Name another one with --dir.`,
    );
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text, { flag: 'wx' });
  }
  return Object.keys(files);
}

const KINDS = { executor: EXECUTOR, tracker: TRACKER, scm: SCM, decider: DECIDER } as const;
export type ScaffoldedKind = keyof typeof KINDS;

/** Kinds of plugins that can be written. */
export const SCAFFOLDED_KINDS: readonly string[] = Object.keys(KINDS);

const isScaffoldedKind = (kind: string): kind is ScaffoldedKind => Object.hasOwn(KINDS, kind);

const buildPackageJson = (id: string, kind: ScaffoldedKind, { noun, manifest }: ScaffoldKind) => ({
  name: `svc-plugin-${id}`,
  version: '0.1.0',
  private: true,
  type: 'module',
  files: ['dist'],
  scripts: { build: 'tsc', test: 'node --test test/*.test.mjs' },
  // Node's own types: timers, fetch, AbortController, process. Plugins run in Node 20 or later.
  devDependencies: { '@types/node': '20.19.43', typescript: '6.0.3' },
  svc: {
    contract: 1,
    id,
    kind,
    title: `${noun} ${id}`,
    entry: './dist/index.js',
    ...manifest,
  },
});

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    types: ['node'],
    module: 'NodeNext',
    strict: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

/** The command that sets a setting to its value in the example; a secret comes from a file. */
const setCommand = (id: string, name: string, value: unknown, isSecret: boolean): string =>
  `    svc config set plugins.installed.${id}.config.${name} ${isSecret ? `- < ${name}.txt` : String(value)}`;

const renderReadme = (id: string, { use, config, manifest }: ScaffoldKind) => `# ${id}

A plugin of svc.

    npm install && npm run build && npm test
    svc plugin install .
    svc plugin test ${id}

${use.replaceAll('ID', id)} Its settings, before or after it is installed:

${Object.entries(config)
  .map(([name, value]) => setCommand(id, name, value, manifest.settings?.[name]?.secret === true))
  .join('\n')}

A server on this machine or its network has to be allowed, by its host without a port:

    svc config set plugins.installed.${id}.allowHosts '["127.0.0.1"]'

\`src/contract.ts\` holds every type, with what each part promises.
`;

const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * The files of a new plugin by path: TypeScript, a test, nothing to fetch but the compiler and the
 * types of Node. Throws SvcError `bad-argument`.
 */
export function scaffoldFiles(id: string, kind: string): Readonly<Record<string, string>> {
  if (!PLUGIN_ID.test(id)) {
    throw new SvcError(
      'bad-argument',
      `"${id}" cannot be the id of a plugin. Use at most 40 characters a-z, 0-9 and "-", starting with a-z.`,
    );
  }
  if (!isScaffoldedKind(kind)) {
    throw new SvcError(
      'bad-argument',
      `"${kind}" is not a kind of plugin. Use one of: ${SCAFFOLDED_KINDS.join(', ')}.`,
    );
  }
  const parts = KINDS[kind];
  return {
    'package.json': toJsonText(buildPackageJson(id, kind, parts)),
    'tsconfig.json': toJsonText(TSCONFIG),
    'src/contract.ts': PLUGIN_TYPES,
    'src/index.ts': parts.index,
    ...parts.more,
    'test/plugin.test.mjs': parts.test,
    'README.md': renderReadme(id, parts),
  };
}
