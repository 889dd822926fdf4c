import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Loader, type Plugin } from 'esbuild';
import { repairPackages } from './repairPackages.ts';

export interface BundledTests {
  toBundledPath(file: string): string;
  remove(): void;
}

const LOADERS: Readonly<Record<string, Loader>> = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js' };

/** Each module keeps its own `import.meta.dirname` and `.url`: tests find fixtures by them. */
const ownPlaces: Plugin = {
  name: 'own places',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|tsx|mjs)$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('import.meta')) return null;
      const [dir, url] = [dirname(path), pathToFileURL(path).href].map((it) => JSON.stringify(it));
      // In front of the first line, so that lines keep their numbers.
      const contents = `const svcModuleDir = ${dir}, svcModuleUrl = ${url};${source}`;
      return { contents, loader: LOADERS[extname(path)] ?? 'js' };
    });
  },
};

/** Packages of hundreds of files, slow to load in every test process, and those that are repaired; they need no others. */
const BUNDLED: ReadonlySet<string> = new Set(['typebox', 'postgres']);

/** All packages but those stay outside. */
export const packagesOutside: Plugin = {
  name: 'packages outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || BUNDLED.has(path.split('/')[0] ?? '')
        ? undefined
        : { path, external: true },
    );
  },
};

const toBundleFolder = (root: string, pid: number): string =>
  join(root, '.cache', 'tests', `${pid}`);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function removeLeftOver(root: string): void {
  const folder = dirname(toBundleFolder(root, 0));
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (!isAlive(Number(name))) rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * Bundles test files once for a whole run, with shared code in chunks: loading the sources one by
 * one takes longer than most tests. Most packages stay outside. Paths are relative to `root`;
 * rejects if a file cannot be bundled.
 */
export async function bundleTests(root: string, files: readonly string[]): Promise<BundledTests> {
  removeLeftOver(root);
  const outdir = toBundleFolder(root, process.pid);
  mkdirSync(outdir, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [...files],
    outdir,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // As from the sources: names of classes appear in errors and answers.
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    define: { 'import.meta.dirname': 'svcModuleDir', 'import.meta.url': 'svcModuleUrl' },
    plugins: [packagesOutside, ownPlaces, repairPackages],
    logLevel: 'silent',
  });
  return {
    toBundledPath: (file) => join(outdir, file.replace(/\.ts$/, '.mjs')),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
