import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';

export interface Tarball {
  file: string;
  version: string;
  files: string[];
}

/** The files of the sources as a clone has them, without what was built. */
function cloneTo(folder: string): void {
  const output = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = output.split('\0').filter((file) => file !== '' && !file.startsWith('test/'));
  for (const file of new Set(files)) {
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
}

/** Packs the package in `folder`; `scripts`: with what npm runs around it. */
function pack(folder: string, target: string, scripts: boolean): Tarball {
  const args = ['pack', '--json', '--silent', '--pack-destination', target];
  const printed = execFileSync('npm', scripts ? args : [...args, '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [packed] = JSON.parse(printed.slice(printed.indexOf('[')));
  const paths: { path: string }[] = packed.files;
  return {
    file: join(target, packed.filename),
    version: packed.version,
    files: paths.map(({ path }) => path),
  };
}

/** Packs a clone of these sources in which nothing was built; into `folder`. */
export function packClone(folder: string): { first: Tarball; next(version: string): Tarball } {
  const clone = join(folder, 'clone');
  cloneTo(clone);
  const first = pack(clone, folder, true);
  /** The same build as another version, to which the first can be upgraded. */
  const next = (version: string): Tarball => {
    execFileSync('npm', ['version', version, '--no-git-tag-version', '--silent'], {
      cwd: clone,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return pack(clone, folder, false);
  };
  return { first, next };
}
