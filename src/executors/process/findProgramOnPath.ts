import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where programs are looked for when no PATH is set. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Path of a program that may be started, looked up in `path` (the variable PATH) unless it names a
 * folder itself; null = not found. It is not run: what it does on start is not wanted here.
 */
export function findProgramOnPath(
  program: string,
  path: string = process.env.PATH ?? DEFAULT_PATH,
): string | null {
  if (program === '') return null;
  if (program.includes('/')) return isExecutableFile(program) ? program : null;
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(isExecutableFile) ?? null;
}
