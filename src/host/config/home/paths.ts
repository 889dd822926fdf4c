import { isAbsolute, join, resolve } from 'node:path';

/** An absolute path: `~` is the person's home folder, a relative path counts from `base`. */
export function resolveUserPath(path: string, base: string, homeDir: string): string {
  if (path === '~') return homeDir;
  if (path.startsWith('~/')) return join(homeDir, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(base, path);
}

/** SVC_HOME, else `~/.svc`. A relative SVC_HOME counts from the present folder. */
export const resolveHomeFolder = (home: string | null, homeDir: string): string =>
  resolveUserPath(home ?? '~/.svc', '.', homeDir);
