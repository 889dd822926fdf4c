import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Longest wait for a program that is asked for its version, ms. */
const ASK_MS = 5_000;
/** Folders above a program that are searched for its package. */
const MAX_DEPTH = 4;
const VERSION = /\d+\.\d+\.\d+[\w.+-]*/;

async function findPackageVersion(file: string): Promise<string | null> {
  let folder = dirname(file);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) {
      const { version }: { version?: unknown } = Object(JSON.parse(text));
      if (typeof version === 'string') return version;
    }
    folder = dirname(folder);
  }
  return null;
}

/**
 * Version of an installed program: that of its package, else its answer to `--version`, without the
 * runner's environment. null = unknown. Never rejects.
 */
export async function findProgramVersion(path: string): Promise<string | null> {
  const file = await realpath(path).catch(() => path);
  const version = await findPackageVersion(file).catch(() => null);
  if (version !== null) return version;
  const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
  return new Promise((resolve) => {
    execFile(file, ['--version'], { env, timeout: ASK_MS }, (error, stdout) =>
      resolve(error ? null : (VERSION.exec(stdout)?.[0] ?? null)),
    );
  });
}
