import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles, read } from '../../scripts/checks/projectFiles.ts';

const test = suite('documents: recipes for contributors');

const [, section = ''] = /^## Recipes\n([\s\S]*?)^## /m.exec(read('CONTRIBUTING.md')) ?? [];
const recipes = section.split(/^### /m).slice(1);

/** Paths in code, such as `machines/job/*Changes.ts`; a command is none. */
const listPaths = (text: string): string[] =>
  [...text.matchAll(/`((?:cli|docs|machines|scripts|src|test|ui)\/[^`\s]*)`/g)].map(
    ([, path = '']) => path,
  );

const files = projectFiles();

const isThere = (path: string): boolean => {
  if (!path.includes('*')) return existsSync(path);
  const [begin = '', end = ''] = path.split('*');
  return files.some((file) => file.startsWith(begin) && file.endsWith(end));
};

test('every path of a recipe exists', () => {
  const paths = listPaths(section);
  assert.ok(paths.length > 60, `only ${paths.length} paths found`);
  assert.equal(
    paths.filter((path) => !isThere(path)),
    [],
  );
});

test('there are ten recipes, each with files and a commit that shows it', () => {
  assert.is(recipes.length, 10);
  assert.equal(
    recipes.filter((text) => listPaths(text).length < 3 || !/^Shown by [0-9a-f]{8}\b/m.test(text)),
    [],
  );
});

test.run();
