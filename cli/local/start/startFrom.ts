import { createRequire } from 'node:module';
import { join } from 'node:path';
import { resolveHomeFolder } from '../../../src/host/config/home/paths.ts';
import { CachedModules } from '../loading/cachedModules.ts';
import type * as StartModule from './start.ts';

/** In the home: what V8 has made of the files that a start loads. */
const CODE = ['cache', 'start.code'];
/**
 * From the start until its code is kept, ms: the first requests have been answered, and V8 has not
 * yet dropped functions that ran once.
 */
const KEEP_AFTER_MS = 10_000;

/** npm may replace the files of an installed program while it runs: it runs from a copy. */
const isInNodeModules = (root: string): boolean => /[\\/]node_modules[\\/]/.test(root);

async function keepProgramFolder(home: string, root: string): Promise<string> {
  const { keepProgramCopy } = await import('../../../src/host/upgrade/programCopies.ts');
  const problem = (text: string): void => void process.stderr.write(`Warning: ${text}\n`);
  return keepProgramCopy(home, root, problem);
}

/**
 * `svc start` of the program in `root`, or of its copy in the home. Resolves with the exit code.
 */
export async function startFrom(
  root: string,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  homeDir: string,
): Promise<number> {
  const home = resolveHomeFolder(env.SVC_HOME || null, homeDir);
  const from = isInNodeModules(root) ? await keepProgramFolder(home, root) : root;
  const file = join(from, 'dist', 'cli', 'start.js');
  // Node reads source maps of what it loads itself.
  const modules = process.sourceMapsEnabled
    ? { load: createRequire(file), keep: () => {} }
    : new CachedModules(from, join(home, ...CODE));
  const { processStreams, runStart } = modules.load(file) as typeof StartModule;
  const timer = setTimeout(() => modules.keep(), KEEP_AFTER_MS);
  timer.unref();
  const code = await runStart(argv, env, processStreams());
  clearTimeout(timer);
  // A start that failed may have no writable home.
  if (code === 0) modules.keep();
  return code;
}
