import { isAbsolute, join, resolve } from 'node:path';

/**
 * SVC_HOME; null where it is not set. Apart from the other variables: the command line needs it
 * before anything else is loaded.
 */
export const readHomeVariable = (
  env: Readonly<Record<string, string | undefined>>,
): string | null => env.SVC_HOME?.trim() || null;

/** An absolute path: `~` is the person's home folder, a relative path counts from `base`. */
export function resolveUserPath(path: string, base: string, homeDir: string): string {
  if (path === '~') return homeDir;
  if (path.startsWith('~/')) return join(homeDir, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(base, path);
}

/** SVC_HOME, else `~/.svc`. A relative SVC_HOME counts from the present folder. */
export const resolveHomeFolder = (home: string | null, homeDir: string): string =>
  resolveUserPath(home ?? '~/.svc', '.', homeDir);
