import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = 'scripts/docs/generator';
const FILES = ['package.json', 'package-lock.json'];

/**
 * Installs what builds the site into `folder`, from the npm registry, unless it is installed
 * already. Not a dependency of the project, since no other command needs it and it is large.
 * Returns whether it is installed.
 */
export function installGenerator(folder: string): boolean {
  const texts = FILES.map((name) => readFileSync(join(PACKAGE, name), 'utf8'));
  // Written by npm when it has ended.
  const isComplete = existsSync(join(folder, 'node_modules/.package-lock.json'));
  const isSame = FILES.every((name, at) => {
    const file = join(folder, name);
    return existsSync(file) && readFileSync(file, 'utf8') === texts[at];
  });
  if (isComplete && isSame) return true;
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [at, name] of FILES.entries()) writeFileSync(join(folder, name), texts[at] ?? '');
  console.log(`Installing what builds the site into ${folder}/node_modules. This is done once.`);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status === 0) return true;
  console.error(
    `npm could not install what builds the site${error ? ` (${error.message})` : ''}. It needs the npm registry; run npm run docs again.`,
  );
  return false;
}
