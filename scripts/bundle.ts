import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild';
import { BUILD_NAME, computeBuildName } from '../src/host/upgrade/program.ts';
import { apartZod } from './apartZod.ts';
import { IMPORT_META } from './commonJs/asCommonJs.ts';
import { linkAsCommonJs } from './commonJs/link.ts';
import { latePackages } from './latePackages.ts';
import { NOTICES, noticesText, packageFolder } from './notices.ts';
import { repairPackages } from './repairPackages.ts';
import { slimPackages } from './slimPackages.ts';

interface Part {
  name: string;
  options: BuildOptions;
  /** Folders whose files are CommonJS; left out = ES modules. */
  commonJs?: readonly string[];
}

/** A built part: its name, its files without source maps, their bytes, and the time it took. */
export interface Built {
  name: string;
  files: string[];
  /** Absolute paths of all files, source maps included. */
  all: string[];
  bytes: number;
  ms: number;
}

interface BundleResult extends Built {
  folders: string[];
}

/**
 * Bundled CommonJS packages call `require` for Node's own modules; an ES module has no `require`.
 */
const REQUIRE =
  "import { createRequire as svcCreateRequire } from 'node:module'; const require = svcCreateRequire(import.meta.url);";

/** What oclif asks for only where commands are run from their sources. */
const NEVER_USED = ['typescript', 'ts-node'];

/** Never bundled: it brings a native binary. */
const EXTERNAL = ['@photostructure/sqlite'];

const base: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // ES modules first: jsonc-parser's other build loads its own files by paths that no bundler sees.
  mainFields: ['module', 'main'],
  sourcemap: 'linked',
  // Stack traces need positions, not the sources: with them the maps are two thirds of the package.
  sourcesContent: false,
  external: EXTERNAL,
  banner: { js: REQUIRE },
  legalComments: 'inline',
  logLevel: 'silent',
};

/** Source files below a folder; an empty list if the folder is missing. */
function sourcesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

/** Commands of oclif's own plugins. They export none of them, so each is built by its file. */
const BROUGHT = {
  'cli/commands/help': '@oclif/plugin-help/lib/commands/help.js',
  'cli/commands/autocomplete/index':
    '@oclif/plugin-autocomplete/lib/commands/autocomplete/index.js',
  'cli/commands/autocomplete/create':
    '@oclif/plugin-autocomplete/lib/commands/autocomplete/create.js',
  'cli/commands/autocomplete/script':
    '@oclif/plugin-autocomplete/lib/commands/autocomplete/script.js',
};

/** oclif's commands, one file each: place below dist/ → source. */
const commandFiles = (): Record<string, string> => ({
  ...Object.fromEntries(
    ['cli/oclif.ts', 'cli/help.ts', ...sourcesIn('cli/commands'), ...sourcesIn('cli/hooks')].map(
      (file) => [file.replace(/\.ts$/, ''), file],
    ),
  ),
  ...Object.fromEntries(
    Object.entries(BROUGHT).map(([place, file]) => [place, join('node_modules', file)]),
  ),
});

/** Programs that share their chunks, into dist/ below `root`: place below dist/ → source. */
const sharing = (name: string, root: string, entryPoints: Record<string, string>): Part => ({
  name,
  options: {
    ...base,
    entryPoints,
    outdir: join(root, 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    external: [...EXTERNAL, ...NEVER_USED],
    banner: {},
    define: IMPORT_META,
    plugins: [apartZod, latePackages, slimPackages],
  },
  commonJs: ['chunks', 'cli', 'runner'].map((folder) => join(root, 'dist', folder)),
});

/** All parts but the dashboard, for dist/ below `root`. Read at each call: finds new commands. */
const parts = (root: string): Part[] => [
  // One build, so that what runner and commands share exists once, above all the class of the
  // errors that pass between them. Neither `svc start` nor `svc tool` loads oclif.
  sharing('svc', root, {
    'runner/main': 'src/main.ts',
    'runner/pluginProcess': 'src/plugins/process/main.ts',
    'runner/sandboxHost': 'src/executors/sandbox/host/main.ts',
    'runner/stateWriter': 'src/host/start/stateWriter.ts',
    'runner/checkpointCopy': 'src/host/start/checkpointCopy.ts',
    'cli/start': 'cli/local/start/start.ts',
    'cli/startFrom': 'cli/local/start/startFrom.ts',
    'cli/cloudStart': 'cli/local/cloud/runCloudStart.ts',
    'cli/tool': 'cli/tool.ts',
    'cli/mcpBridge': 'cli/mcpBridge.ts',
    'cli/complete': 'cli/completion/complete.ts',
    ...commandFiles(),
  }),
  // The control plane: nothing else loads it, and it shares nothing with the runner.
  {
    name: 'cloud',
    options: {
      ...base,
      entryPoints: { main: 'src/cloud/startNode.ts', maintenance: 'src/cloud/openMaintenance.ts' },
      outdir: join(root, 'dist/cloud'),
      // Most of it is loaded while PostgreSQL starts.
      splitting: true,
      chunkNames: '[name]-[hash]',
      plugins: [slimPackages, repairPackages],
    },
  },
  {
    name: 'demo',
    options: {
      ...base,
      entryPoints: {
        index: 'demo/index.ts',
        controlPlane: 'demo/cloud/controlPlaneProgram.ts',
      },
      outdir: join(root, 'dist/demo'),
    },
  },
];

/**
 * Writes a file atomically, and leaves one with the same content alone: a runner may be running
 * from it.
 */
function writeWhole(file: string, bytes: Uint8Array): void {
  const known = existsSync(file) ? readFileSync(file) : null;
  if (known?.equals(bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
}

const foldersIn = ({ outputs }: Metafile): string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).flatMap((path) => packageFolder(resolve(path)) ?? []),
  );

/** The files as they are written: path → bytes. */
function collectFiles({ commonJs }: Part, outputs: readonly OutputFile[]): Map<string, Uint8Array> {
  const files = new Map(outputs.map(({ path, contents }) => [path, contents]));
  if (!commonJs) return files;
  const modules = outputs.filter(({ path }) => path.endsWith('.js'));
  const linked = linkAsCommonJs(new Map(modules.map(({ path, text }) => [path, text])));
  for (const [path, text] of linked) files.set(path, Buffer.from(text));
  // Node uses the nearest package.json; that of svc declares ES modules.
  for (const folder of commonJs.map((name) => resolve(name)))
    if (modules.some(({ path }) => path.startsWith(`${folder}/`)))
      files.set(join(folder, 'package.json'), Buffer.from('{ "type": "commonjs" }\n'));
  return files;
}

async function bundle(part: Part): Promise<BundleResult> {
  const started = performance.now();
  const { outputFiles, metafile } = await build({ ...part.options, write: false, metafile: true });
  if (outputFiles.length === 0) throw new Error(`The build of "${part.name}" produced no file.`);
  const written = collectFiles(part, outputFiles);
  for (const [path, bytes] of written) writeWhole(path, bytes);
  const programs = outputFiles.filter(({ path }) => !path.endsWith('.map'));
  return {
    name: part.name,
    files: programs.map(({ path }) => relative('.', path)),
    all: [...written.keys()],
    bytes: programs.reduce((sum, { contents }) => sum + contents.length, 0),
    folders: foldersIn(metafile),
    ms: performance.now() - started,
  };
}

/** Builds programs that are not part of svc as svc itself is built, one file each in `outdir`. */
export const bundlePrograms = (entryPoints: string[], outdir: string): Promise<Built> =>
  bundle({
    name: 'programs',
    options: { ...base, entryPoints, outdir, outbase: join(entryPoints[0] ?? '', '..') },
  });

/** Builds the commands alone, into dist/ below `root`. */
export const bundleCommands = (root: string): Promise<Built> =>
  bundle(sharing('commands', root, commandFiles()));

/** Builds all but the dashboard into dist/ below `root`, and removes commands without a source. */
export async function bundleAll(root = '.'): Promise<Built[]> {
  const built = await Promise.all(parts(root).map(bundle));
  const notices = noticesText(
    'The program',
    built.flatMap(({ folders }) => folders),
  );
  writeWhole(join(root, 'dist', NOTICES), Buffer.from(notices));
  writeWhole(join(root, BUILD_NAME), Buffer.from(await computeBuildName(root)));
  const writtenFiles = new Set(built.flatMap(({ all }) => all));
  for (const folder of ['dist/chunks', 'dist/runner', 'dist/cli', 'dist/cloud', 'dist/demo']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const file = resolve(entry.parentPath, entry.name);
      if (entry.isFile() && !writtenFiles.has(file)) rmSync(file, { force: true });
    }
  }
  return built;
}
