import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const POSTGRES = '/usr/lib/postgresql';

function debianFolders(): string[] {
  try {
    const versions = readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(POSTGRES, version, 'bin'));
  } catch {
    return [];
  }
}

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Path of a program that the system has, or null. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...debianFolders()];
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

/** As {@link findProgram}; throws with the line that installs it. */
export function systemProgram(name: string, packageName: string): string {
  const path = findProgram(name);
  if (path) return path;
  throw new Error(
    `${name} is not installed. Debian and Ubuntu: sudo apt-get install ${packageName}`,
  );
}
