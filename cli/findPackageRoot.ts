import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Folder of svc's package.json: the nearest one above the module that has svc's program beside it,
 * however deep a bundle puts it. The folders of a build have a package.json each.
 */
export function findPackageRoot(moduleUrl: string): string {
  let folder = dirname(fileURLToPath(moduleUrl));
  while (!existsSync(join(folder, 'package.json')) || !existsSync(join(folder, 'cli', 'bin'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(
        `The svc installation is incomplete: no package.json above ${fileURLToPath(moduleUrl)}`,
      );
    folder = parent;
  }
  return folder;
}
