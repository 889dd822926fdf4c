import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const BLOCK = 512;

/** Every file below a folder, by its path from there, and the bytes that it takes on the disk. */
export function readTree(folder: string): Map<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), lstatSync(path).blocks * BLOCK];
    }),
  );
}
