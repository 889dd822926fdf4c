import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../scripts/checks/projectFiles.ts';
import { fencesOf, markdownFiles } from '../../scripts/docs/markdownFiles.ts';
import { sidebarOf } from '../../scripts/docs/sidebar.ts';
import { diagramSvg } from '../../scripts/docs/siteMarkdown.ts';
import { asPage, sitePath } from '../../scripts/docs/stagePages.ts';

const test = suite('documents: the site');

test('docs/ is the root of the site, and other documents are named after their folders', () => {
  assert.is(sitePath('docs/guides/ci.md'), 'guides/ci.md');
  assert.is(sitePath('ARCHITECTURE.md'), 'project/architecture.md');
  assert.is(sitePath('src/kernel/README.md'), 'project/src-durable.md');
});

const documents = new Set(['README.md', 'docs/a.md', 'docs/guides/b.md', 'machines/README.md']);

test('a link to a document leads to its page', () => {
  assert.is(asPage('docs/a.md', '[b](guides/b.md#x)', documents), '[b](guides/b.md#x)');
  assert.is(asPage('README.md', '[a](docs/a.md)', documents), '[a](../a.md)');
});

test('a link to a folder leads to the page of its README', () => {
  assert.is(
    asPage('docs/a.md', '[charts](../machines/)', documents),
    '[charts](project/machines.md)',
  );
});

test('a link to a source is left as its text', () => {
  assert.is(asPage('docs/a.md', 'See [`x.ts`](../src/x.ts).', documents), 'See `x.ts`.');
});

test('code is left unchanged', () => {
  const text = '```md\n[x](../src/x.ts)\n```\n`[x](../src/x.ts)`';
  assert.is(asPage('docs/a.md', text, documents), text);
});

test('the sidebar is made of folders and titles, in the order of their index', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-site-'));
  try {
    mkdirSync(join(root, 'guides'));
    writeFileSync(join(root, 'index.md'), '# Home\n');
    writeFileSync(join(root, 'guides/index.md'), '# Guides\n\n[b](b.md), [a](a.md)\n');
    writeFileSync(join(root, 'guides/a.md'), '# First\n');
    writeFileSync(join(root, 'guides/b.md'), '# Second\n');
    assert.equal(sidebarOf(root), [
      { text: 'Start', items: [{ text: 'Home', link: '/' }] },
      {
        text: 'Guides',
        collapsed: false,
        items: [
          { text: 'Guides', link: '/guides/' },
          { text: 'Second', link: '/guides/b' },
          { text: 'First', link: '/guides/a' },
        ],
      },
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('every diagram in a document can be drawn, without any request on the network', () => {
  const diagrams = markdownFiles().flatMap((file) =>
    fencesOf(read(file)).flatMap(({ language, line, text }) =>
      language === 'mermaid' ? [{ place: `${file}:${line}`, text }] : [],
    ),
  );
  assert.ok(diagrams.length > 10, `only ${diagrams.length} diagrams found`);
  for (const { place, text } of diagrams) {
    const svg = diagramSvg(text);
    assert.match(svg, /^<svg /, place);
    assert.not.match(svg, /url\(['"]?https?:/, place);
  }
});

test.run();
