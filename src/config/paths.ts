import { isAbsolute, join, resolve } from 'node:path';

/** An absolute path: `~` is the person's home folder, a relative path counts from `base`. */
export function absolutePath(path: string, base: string, homeDir: string): string {
  if (path === '~') return homeDir;
  if (path.startsWith('~/')) return join(homeDir, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(base, path);
}

/** SVC_HOME, else `~/.svc`. A relative SVC_HOME counts from the present folder. */
export const homeFolder = (home: string | null, homeDir: string): string =>
  absolutePath(home ?? '~/.svc', '.', homeDir);
