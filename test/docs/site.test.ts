import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSidebar } from '../../scripts/docs/sidebar.ts';
import { drawPicture } from '../../scripts/docs/siteMarkdown.ts';
import { asPage, sitePath } from '../../scripts/docs/stagePages.ts';

const test = suite('documents: the site');

test('docs/ is the root of the site, and other documents are named after their folders', () => {
  assert.is(sitePath('docs/guides/ci.md'), 'guides/ci.md');
  assert.is(sitePath('ARCHITECTURE.md'), 'project/architecture.md');
  assert.is(sitePath('src/kernel/README.md'), 'project/src-kernel.md');
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
    assert.equal(buildSidebar(root), [
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

test('a picture of a diagram loads no font from elsewhere', () => {
  const svg = drawPicture(
    'flowchart',
    () => `<svg width="100" style="x"><style>@import url('https://x.invalid/f.css');</style></svg>`,
  );
  assert.is(svg, '<svg width="100" style="min-width: 65px; x"><style></style></svg>');
});

test('a picture that asks the network fails the build', () => {
  const draw = () => '<svg style=""><image href="x" fill="url(https://x.invalid/a)"/></svg>';
  assert.throws(() => drawPicture('flowchart', draw));
});

test('a diagram that cannot be drawn fails the build', () => {
  assert.throws(() => drawPicture('flowchart', () => 'no picture'));
});

test.run();
