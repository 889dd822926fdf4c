import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRepository } from '../../git/openRepository.ts';

const isRepository = (folder: string): boolean => {
  try {
    openRepository(folder);
    return true;
  } catch {
    return false;
  }
};

/**
 * The git repository that a folder is in: the folder itself where it is a bare one, else the nearest
 * one above that has `.git`, as git looks for it; null = none.
 */
export function findRepositoryAround(folder: string): string | null {
  if (existsSync(join(folder, '.git')) || isRepository(folder)) return folder;
  const above = dirname(folder);
  return above === folder ? null : findRepositoryAround(above);
}
