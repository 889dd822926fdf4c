import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const SETTINGS_FOLDER = 'svc-settings-';

const SETTINGS: readonly (readonly [section: string, key: string, value: string])[] = [
  ['core', 'hooksPath', '/dev/null'],
  ['core', 'fsmonitor', 'false'],
  ['core', 'quotePath', 'false'],
  ['submodule', 'recurse', 'false'],
  ['log', 'showSignature', 'false'],
  ['gc', 'auto', '0'],
  ['maintenance', 'auto', 'false'],
  ['safe', 'directory', '*'],
];

/** As arguments: stronger than the configuration of a repository. */
export const SETTING_ARGUMENTS: readonly string[] = SETTINGS.flatMap(([section, key, value]) => [
  '-c',
  `${section}.${key}=${value}`,
]);

const TEXT = SETTINGS.map(([section, key, value]) => `[${section}]\n\t${key} = ${value}\n`).join(
  '',
);

let file: string | null = null;

/**
 * A file with the same settings. Git does not pass its arguments to programs that it starts in
 * another repository, such as the one that serves a clone from a path; this file reaches them all.
 * One for each process, in a folder of its own, made again if a cleanup has removed it.
 */
export function ensureSettingsFile(): string {
  if (file !== null && existsSync(file)) return file;
  if (file === null) {
    const dir = mkdtempSync(join(tmpdir(), SETTINGS_FOLDER));
    file = join(dir, 'gitconfig');
    process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, TEXT, { mode: 0o600 });
  return file;
}
