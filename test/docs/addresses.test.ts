import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../scripts/checks/projectFiles.ts';
import { collectAnchors } from '../../scripts/docs/links.ts';
import { svcProblems } from '../../scripts/docs/svcUses.ts';
import { MANIFEST_FILE } from '../../scripts/oclifManifest.ts';
import { toDocsAddress } from '../../src/base/http/toDocsAddress.ts';

const test = suite('documents: what the program names');

const sources = ['cli', 'src', 'machines', 'demo'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'))
    .map((file) => join(folder, file)),
);

/** Source without comments: what can reach a person. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const texts = sources.map((file) => ({ file, text: withoutComments(readFileSync(file, 'utf8')) }));

test('every address of the documentation leads to a page, and its anchor to a heading', () => {
  const references = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/toDocsAddress\(\s*'([^']+)'/g)].map(([, page = '']) => ({ file, page })),
  );
  assert.ok(references.length > 5, `only ${references.length} addresses`);
  const wrong = references.filter(({ page }) => {
    const [path = '', anchor] = page.split('#');
    const file = join('docs', path);
    return !existsSync(file) || (anchor !== undefined && !collectAnchors(read(file)).has(anchor));
  });
  assert.equal(wrong, []);
});

test('the address is that of the repository of the package', () => {
  const { homepage }: { homepage: string } = JSON.parse(read('package.json'));
  assert.is(
    toDocsAddress('start.md'),
    `${homepage.replace('#readme', '')}/blob/main/docs/start.md`,
  );
});

test('no text names a page by a path, which an installed package does not have', () => {
  const PACKED = ['docs/reference/lint.md'];
  const references = texts.flatMap(({ file, text }) =>
    [
      ...text
        .replace(/toDocsAddress\(\s*'[^']+'/g, '')
        .matchAll(/\b(?:docs\/)?(?:guides|concepts|operations|reference)\/[\w-]+\.md/g),
    ]
      .map(([page]) => page)
      .filter((page) => !PACKED.includes(page))
      .map((page) => `${file}: ${page}`),
  );
  assert.equal(references, []);
});

test('every command that a help text names exists and has the flags that it is given', () => {
  const {
    commands,
  }: {
    commands: Record<
      string,
      { description?: string; summary?: string; flags?: Record<string, { description?: string }> }
    >;
  } = JSON.parse(read(MANIFEST_FILE));
  const references = Object.entries(commands).flatMap(
    ([id, { summary = '', description = '', flags = {} }]) =>
      [summary, description, ...Object.values(flags).map((flag) => flag.description ?? '')].flatMap(
        (text) =>
          [...text.matchAll(/(?<![\w./-])svc ((?:[a-z][a-z-]*)(?: --?[a-z][a-z-]*)*)/g)].map(
            ([use]) => ({ id, use }),
          ),
      ),
  );
  assert.ok(references.length > 20, `only ${references.length} commands named`);
  const words = (use: string): string => use.split(' ')[1] ?? '';
  const known = new Set(Object.keys(commands).map((id) => id.split(':')[0]));
  const wrong = references.filter(
    ({ use }) => known.has(words(use)) && use.includes(' -') && svcProblems(use).length > 0,
  );
  assert.equal(wrong, []);
});

test('the outputs that ci.md says the action has are those of action.yml', () => {
  const action = read('action.yml');
  const outputs = action.slice(action.indexOf('\noutputs:'), action.indexOf('\nruns:'));
  const own = [...outputs.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name);
  const page = read('docs/guides/ci.md').replace(/\s+/g, ' ');
  const [, outputList = ''] =
    /the outputs ([^;]*); the action below has the same ones/.exec(page) ?? [];
  assert.equal(
    [...outputList.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
    own,
  );
});

test.run();
