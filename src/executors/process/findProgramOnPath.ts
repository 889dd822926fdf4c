import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
 * Path of an executable program, looked up in `path` (the variable PATH) unless it names a folder;
 * null = not found. The program is not run.
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
