import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'titles', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/slugify.js': `/** A title as the last part of a URL: lower case, words joined by dashes. */
export const slugify = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
`,
  'test/slugify.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { slugify } from '../src/slugify.js';

test('words are joined by dashes', () => {
  assert.equal(slugify('Hello, World!'), 'hello-world');
});

test('letters with accents stay letters', () => {
  assert.equal(slugify('Crème brûlée'), 'creme-brulee');
});
`,
};

/** Makes a small real repository whose tests fail, as a bare repository beside `dir`. Answers its path. */
export const makeSampleRepository = (dir: string): string => {
  const work = join(dir, 'titles-work');
  const bare = join(dir, 'titles.git');
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Demo', '-c', 'user.email=demo@svc.invalid', '-c', 'init.defaultBranch=main', ...args], {
      cwd,
      stdio: 'pipe',
    });
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(work, path, '..'), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  git(work, 'init', '--quiet');
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '-m', 'Slugs for titles');
  git(dir, 'clone', '--quiet', '--bare', work, bare);
  return bare;
};
