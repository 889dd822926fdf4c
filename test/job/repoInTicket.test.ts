import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { repoInTicket } from '../../src/job/tickets/repoInTicket.ts';
import type { Forge } from '../../src/contract/forge.ts';
import { createForges } from '../../src/providers/forges.ts';
import type { Issue } from '../../src/contract/tracker.ts';

const test = suite('runner: the repository of a ticket');

const forge = (id: string, serves: (slug: string) => boolean): Forge =>
  ({ id, serves }) as Partial<Forge> as Forge;
const forges = createForges([
  forge('local', (slug) => slug === 'shop'),
  forge('github', (slug) => /^[\w-]+\/[\w.-]+$/.test(slug)),
  forge('gitlab', (slug) => /^[\w-]+(\/[\w-]+)+$/.test(slug)),
]);
const SITES = [
  { forge: 'github', web: 'https://github.com' },
  { forge: 'gitlab', web: 'https://git.acme.test' },
];

const found = (more: Partial<Issue>) => {
  const issue = {
    key: 'A-1',
    title: '',
    body: '',
    status: '',
    url: 'https://jira.test/browse/A-1',
    ...more,
  };
  const answer = repoInTicket(issue, SITES, forges);
  return 'repo' in answer ? `${answer.repo.provider}:${answer.repo.slug}` : answer.problem;
};

test('a line of the text names it: by name, or by URL', () => {
  assert.is(found({ body: 'Do it.\n\nrepo: shop\n' }), 'local:shop');
  assert.is(found({ body: 'Repository:   acme/web' }), 'github:acme/web');
  assert.is(found({ body: '- **repo:** `acme/web`' }), 'github:acme/web');
  assert.is(
    found({ body: 'repo: [https://github.com/acme/web](https://github.com/acme/web)' }),
    'github:acme/web',
  );
  assert.is(
    found({ body: 'repo: https://git.acme.test/group/sub/web/-/tree/main' }),
    'gitlab:group/sub/web',
  );
  // In the middle of a sentence it is no line.
  assert.match(found({ body: 'the repo: shop is old' }), /^it has no line/);
});

test('a line wins over a label, a label over the location of the issue, and that over links', () => {
  const links = ['https://github.com/acme/linked'];
  const url = 'https://github.com/acme/own/issues/3';
  const labels = ['ui', 'repo:acme/labelled'];
  assert.is(found({ body: 'repo: shop', labels, url, links }), 'local:shop');
  assert.is(found({ labels, url, links }), 'github:acme/labelled');
  assert.is(found({ url, links }), 'github:acme/own');
  assert.is(found({ links }), 'github:acme/linked');
});

test('one linked repository counts, however often; other pages do not', () => {
  const body =
    'See https://github.com/acme/web/pull/3, https://GitHub.com/Acme/web.git and (https://github.com/settings/tokens).';
  assert.is(found({ body }), 'github:acme/web');
  assert.is(found({ body: '[site](https://github.com/acme/web)' }), 'github:acme/web');
  assert.match(
    found({
      body: 'https://github.com/acme https://evil.test/github.com/acme/web https://github.com.evil.test/a/b',
    }),
    /^it has no line/,
  );
});

test('text that does not name one repository is refused, with what was searched', () => {
  assert.is(
    found({ body: 'https://github.com/acme/a https://github.com/acme/b' }),
    'it links several repositories (acme/a, acme/b)',
  );
  assert.is(
    found({ body: 'repo: nowhere' }),
    'its line "repo:" names no repository of a configured forge: "nowhere"',
  );
  assert.is(
    found({ labels: ['repo:shop', 'repo:acme/b'] }),
    'its label names several repositories: "shop", "acme/b"',
  );
  assert.is(
    found({}),
    'it has no line "repo: <slug>", no label "repo:<slug>" and no link to a repository (looked for: https://github.com, https://git.acme.test)',
  );
});

test('a ticket of any size is searched quickly', () => {
  for (const piece of [
    'repo: ',
    'https://github.com/',
    'https://github.com/a/b ',
    '/',
    'repo:\t',
    ' ',
    'https://',
  ]) {
    const began = performance.now();
    found({ body: piece.repeat(100_000 / piece.length) });
    assert.ok(performance.now() - began < 1_000, piece);
  }
});

test.run();
