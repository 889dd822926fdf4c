import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Files = Readonly<Record<string, string>>;

const formatPackageJson = (name: string): string =>
  `${JSON.stringify({ name, private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`;

/** A library whose tests fail. */
const TITLES_FILES: Files = {
  'package.json': formatPackageJson('titles'),
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

test('accented characters are kept', () => {
  assert.equal(slugify('Crème brûlée'), 'creme-brulee');
});
`,
};

export const TEXTS_FILES: Files = {
  'package.json': formatPackageJson('texts'),
  'README.md': '# texts\n\nSays something about a text.\n',
};

/** Makes a bare repository with these files in `dir`; default: TITLES_FILES. Returns its path. */
export const makeSampleRepository = (
  dir: string,
  name = 'titles',
  files = TITLES_FILES,
): string => {
  const work = join(dir, `${name}-work`);
  const bare = join(dir, `${name}.git`);
  const git = (cwd: string, ...args: string[]) =>
    execFileSync(
      'git',
      [
        '-c',
        'user.name=Demo',
        '-c',
        'user.email=demo@svc.invalid',
        '-c',
        'init.defaultBranch=main',
        ...args,
      ],
      {
        cwd,
        stdio: 'pipe',
      },
    );
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(work, path, '..'), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  git(work, 'init', '--quiet');
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '-m', 'First version');
  git(dir, 'clone', '--quiet', '--bare', work, bare);
  return bare;
};
