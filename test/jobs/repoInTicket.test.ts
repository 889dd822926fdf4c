import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findRepoInTicket } from '../../src/jobs/tickets/findRepoInTicket.ts';
import type { Forge } from '../../src/contract/forge/forge.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { createForges, type JobRepo } from '../../src/providers/forges.ts';
import { codeOfRefusal } from '../support/refusal.ts';
import type { Issue } from '../../src/contract/forge/tracker.ts';

const test = suite('runner: the repository of a ticket');

const forge = (id: string, serves: (slug: string) => boolean, more: Partial<Forge> = {}): Forge =>
  ({
    id,
    serves,
    capabilities: { remote: id !== 'local', createRepo: false },
    ...more,
  }) as Partial<Forge> as Forge;
const forges = createForges([
  forge('local', (slug) => slug === 'shop'),
  forge('github', (slug) => /^[\w-]+\/[\w.-]+$/.test(slug)),
  forge('gitlab', (slug) => /^[\w-]+(\/[\w-]+)+$/.test(slug)),
]);
const SITES = [
  { forge: 'github', web: 'https://github.com' },
  { forge: 'gitlab', web: 'https://git.acme.test' },
];

const findRepository = async (more: Partial<Issue>, trackerId = 'jira', where = forges) => {
  const issue = {
    key: 'A-1',
    title: '',
    body: '',
    status: '',
    url: 'https://jira.test/browse/A-1',
    ...more,
  };
  const answer = await findRepoInTicket({ issue, trackerId, sites: SITES, forges: where });
  return 'repo' in answer ? `${answer.repo.provider}:${answer.repo.slug}` : answer.problem;
};

test('a line of the text names it: by name, or by URL', async () => {
  assert.is(await findRepository({ body: 'Do it.\n\nrepo: shop\n' }), 'local:shop');
  assert.is(await findRepository({ body: 'Repository:   acme/web' }), 'github:acme/web');
  assert.is(await findRepository({ body: '- **repo:** `acme/web`' }), 'github:acme/web');
  assert.is(
    await findRepository({
      body: 'repo: [https://github.com/acme/web](https://github.com/acme/web)',
    }),
    'github:acme/web',
  );
  assert.is(
    await findRepository({ body: 'repo: https://git.acme.test/group/sub/web/-/tree/main' }),
    'gitlab:group/sub/web',
  );
  // In the middle of a sentence it is no line.
  assert.match(await findRepository({ body: 'the repo: shop is old' }), /^it has no line/);
});

test('a line wins over a label, a label over the location of the issue, and that over links', async () => {
  const links = ['https://github.com/acme/linked'];
  const url = 'https://github.com/acme/own/issues/3';
  const labels = ['ui', 'repo:acme/labelled'];
  assert.is(await findRepository({ body: 'repo: shop', labels, url, links }), 'local:shop');
  assert.is(await findRepository({ labels, url, links }, 'github-issues'), 'github:acme/labelled');
  assert.is(await findRepository({ url, links }, 'github-issues'), 'github:acme/own');
  assert.is(await findRepository({ links }), 'github:acme/linked');
});

test('one linked repository counts, however often; other pages do not', async () => {
  const body =
    'See https://github.com/acme/web/pull/3, https://GitHub.com/Acme/web.git and (https://github.com/settings/tokens).';
  assert.is(await findRepository({ body }), 'github:acme/web');
  assert.is(
    await findRepository({ body: '[site](https://github.com/acme/web)' }),
    'github:acme/web',
  );
  assert.match(
    await findRepository({
      body: 'https://github.com/acme https://evil.test/github.com/acme/web https://github.com.evil.test/a/b',
    }),
    /^it has no line/,
  );
});

test('text that does not name one repository is refused, with what was searched', async () => {
  assert.is(
    await findRepository({ body: 'https://github.com/acme/a https://github.com/acme/b' }),
    'it links several repositories (acme/a, acme/b)',
  );
  assert.is(
    await findRepository({ body: 'repo: nowhere' }),
    'its line "repo:" does not name a repository of a configured forge: "nowhere"',
  );
  assert.is(
    await findRepository({ labels: ['repo:shop', 'repo:acme/b'] }),
    'its label names several repositories: "shop", "acme/b"',
  );
  assert.is(
    await findRepository({}),
    'it has no line "repo: <slug>", no label "repo:<slug>" and no link to a repository (looked for: https://github.com, https://git.acme.test)',
  );
});

test('a ticket of any size is searched quickly', async () => {
  for (const piece of [
    'repo: ',
    'https://github.com/',
    'https://github.com/a/b ',
    '/',
    'repo:\t',
    ' ',
    'https://',
  ]) {
    const start = process.cpuUsage();
    await findRepository({ body: piece.repeat(100_000 / piece.length) });
    assert.ok(process.cpuUsage(start).user < 1_000_000, piece);
  }
});

/** As a plugin says it: git below /git/, pages beside it, nothing else. */
const HUB = 'http://hub.test';
const addresses: string[] = [];
const hub = (more: Partial<Forge> = {}) =>
  createForges([
    forge('hub', (slug) => /^[\w-]+(\/[\w-]+)+$/.test(slug), {
      async repositoryAt(address) {
        addresses.push(address);
        const [, path] =
          /^(?:http:\/\/hub\.test\/git\/|git@hub\.test:)(.+?)\.git$/.exec(address) ?? [];
        return (
          path ??
          /^http:\/\/hub\.test\/([\w-]+\/[\w-]+)(?:\/pull\/\d+)?$/.exec(address)?.[1] ??
          null
        );
      },
      ...more,
    }),
  ]);
const ofHub = (more: Partial<Issue>, where = hub()) =>
  findRepository({ key: 'MT-9', url: `${HUB}/issues/MT-9`, ...more }, 'tick', where);

test('what an address of the forge of a plugin is about, the plugin says: for git, with groups, of a pull request', async () => {
  assert.is(await ofHub({ body: `repo: ${HUB}/git/acme/shop.git` }), 'hub:acme/shop');
  assert.is(await ofHub({ body: `repo: ${HUB}/git/a/b/shop.git` }), 'hub:a/b/shop');
  assert.is(await ofHub({ body: 'repo: git@hub.test:acme/shop.git' }), 'hub:acme/shop');
  assert.is(await ofHub({ labels: [`repo:${HUB}/acme/shop`] }), 'hub:acme/shop');
  assert.is(await ofHub({ body: `See ${HUB}/acme/shop/pull/1.` }), 'hub:acme/shop');
});

test('no ticket is taken for a repository, though the forge is served by the same host', async () => {
  addresses.length = 0;
  // A plugin that takes whatever it is given.
  const careless = hub({ repositoryAt: async (address) => new URL(address).pathname.slice(1) });
  assert.match(await ofHub({}, careless), /^it has no line/);
  assert.match(
    await ofHub({ body: `As in ${HUB}/issues/MT-10#c2 and ${HUB}/issues/MT-9/` }, careless),
    /^it has no line/,
  );
  assert.is(
    await ofHub({ body: `${HUB}/issues/MT-10 breaks ${HUB}/acme/shop` }, careless),
    'hub:acme/shop',
  );
});

test('the same holds for a forge that is part of svc and has the host of the tracker', async () => {
  const url = 'https://git.acme.test/jira/browse/A-1';
  assert.match(
    await findRepository({ url, body: 'https://git.acme.test/jira/browse/A-2' }),
    /^it has no/,
  );
  assert.is(
    await findRepository({ url, body: 'https://git.acme.test/group/web' }),
    'gitlab:group/web',
  );
});

test('a link to something that the forge does not have is none to a repository', async () => {
  const repositories = { isMissing: async ({ slug }: JobRepo) => slug !== 'acme/web' };
  const among = async (body: string) => {
    const issue = { key: 'A-1', title: '', body, status: '', url: '' };
    return findRepoInTicket({ issue, trackerId: 'jira', sites: SITES, forges, repositories });
  };
  const page = 'https://git.acme.test/jira/projects';
  assert.equal(await among(`${page} https://github.com/acme/web`), {
    repo: { slug: 'acme/web', provider: 'github' },
  });
  assert.equal(await among(page), {
    isNamed: false,
    problem: 'it links jira/projects, which no forge has',
  });
});

test('a forge whose plugin tells no addresses is named in the refusal of one; one that cannot say is not guessed for', async () => {
  const silent = createForges([forge('hub', () => true)]);
  assert.is(
    await ofHub({ body: `repo: ${HUB}/git/acme/shop.git` }, silent),
    `its line "repo:" does not name a repository of a configured forge: "${HUB}/git/acme/shop.git"; a repository of hub is named as <owner>/<name>, not by its address`,
  );
  const broken = hub({ repositoryAt: () => Promise.reject(new SvcError('config-invalid', 'no')) });
  assert.is(
    await codeOfRefusal(() => ofHub({ body: `repo: ${HUB}/git/acme/shop.git` }, broken)),
    'config-invalid',
  );
});

test('a forge that is installed while the runner runs is asked at once, without a restart', async () => {
  const installed: Forge[] = [];
  const live = createForges([forge('local', () => false)], () => installed);
  const body = `repo: ${HUB}/git/acme/shop.git`;
  assert.match(
    await findRepository({ body }, 'jira', live),
    /does not name a repository of a configured forge/,
  );
  installed.push(forge('hub', () => true, { repositoryAt: async () => 'acme/shop' }));
  assert.is(await findRepository({ body }, 'jira', live), 'hub:acme/shop');
});

test.run();
