import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Folder of svc's package.json: the nearest one above the module, however deep a bundle puts it.
 */
export function packageRoot(moduleUrl: string): string {
  let folder = dirname(fileURLToPath(moduleUrl));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(
        `The svc installation is incomplete: no package.json above ${fileURLToPath(moduleUrl)}`,
      );
    folder = parent;
  }
  return folder;
}
