import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobContext } from '../../machines/index.ts';
import { createWriteAccess } from '../../src/forges/outbound/writeAccess.ts';
import type { Forge, PrDetail } from '../../src/contract/forge/forge.ts';
import { createForges } from '../../src/providers/forges.ts';
import type { RowReader } from '../../src/contract/records/rowReader.ts';
import type { JobTracker } from '../../src/contract/forge/tracker.ts';
import { createTrackers } from '../../src/providers/trackers.ts';

const test = suite('what an agent may write to: names and owners');

type Row = Record<string, unknown>;

const forge = (id: string, canonical: (slug: string) => string | null): Forge =>
  ({
    id,
    canonical,
    serves: (slug: string) => canonical(slug) !== null,
    capabilities: { remote: id !== 'local', createRepo: true, decisions: [] },
    self: async () => 'robot',
    pullRequest: async (_repo: string, number: number) =>
      ({ author: number === 9 ? 'Robot' : 'ann' }) as Partial<PrDetail> as PrDetail,
    source: async (slug: string) => ({ slug, path: '', defaultBranch: 'main' }),
  }) as Partial<Forge> as Forge;
const slug = (text: string) => (/^[\w.-]+\/[\w.-]+$/.test(text) ? text.toLowerCase() : null);
const forges = createForges([
  forge('local', (text) => (['shop', 'other'].includes(text) ? text : null)),
  forge('github', (text) => slug(text.includes('/') ? text : `acme/${text}`)),
  forge('gitlab', slug),
]);
const tracker = (id: string, form: RegExp): JobTracker =>
  ({ id, serves: (ref: string) => form.test(ref) }) as Partial<JobTracker> as JobTracker;
const trackers = createTrackers(() => [
  tracker('jira', /^[A-Za-z]+-\d+$/),
  tracker('linear', /^[A-Za-z]+-\d+$/),
  tracker('github-issues', /#\d+$|^https:/),
]);

interface Setting {
  params?: Record<string, unknown>;
  writesTo?: string[];
  tables?: Record<string, Row[]>;
  parents?: Record<string, string>;
  /** Takes by what pull requests are looked up. */
  lookedUp?: Row[];
}

const ME = 'shop-job-1';

/** Why the job may not do it; null = it may. */
const ask = async (setting: Setting, provider: string, operation: string, args: Row) => {
  const { params = {}, writesTo, tables = {}, parents = {}, lookedUp } = setting;
  const all = (table: string, where: Row) => {
    if (table === 'pr_mappings') lookedUp?.push(where);
    return (tables[table] ?? []).filter((row) =>
      Object.entries(where).every(([name, value]) => row[name] === value),
    );
  };
  const rows = {
    all,
    one: (table: string, where: Row) => all(table, where)[0],
  } as Partial<RowReader> as RowReader;
  const context = (id: string) =>
    ({
      params: id === ME ? { repoSlug: 'acme/shop', gitProvider: 'github', ...params } : {},
      workflow: writesTo ? { writesTo } : {},
      prs: all('pr_mappings', { job_id: id }).map((row) => ({ prId: row.pr_id })),
      subRunOf: parents[id] ? { parentJobId: parents[id], name: 'a', attempt: 1 } : null,
    }) as Partial<JobContext> as JobContext;
  const prs = {
    repositories: (id: string) =>
      (tables.pr_mappings ?? []).flatMap(({ forge, repo }) => (forge === id ? [String(repo)] : [])),
  };
  return createWriteAccess({ rows, prs, forges, trackers, readContext: context })(
    ME,
    provider,
    operation,
    args,
  );
};
const isAllowed = async (...args: Parameters<typeof ask>) => (await ask(...args)).problem === null;

const mapping = (job: string, repo: string, number: number, more: Row = {}): Row => ({
  forge: 'github',
  repo,
  number,
  job_id: job,
  pr_id: `github:${repo}#${number}`,
  state: 'open',
  head: 'change',
  base: 'main',
  ...more,
});
const mine = {
  tables: { pr_mappings: [mapping(ME, 'Acme/Shop', 3), mapping('shop-job-2', 'acme/shop', 4)] },
};

test("the job's own repository takes comments and new pull requests, under all of its names", async () => {
  for (const repo of ['acme/shop', 'Acme/SHOP', 'shop']) {
    assert.is(await isAllowed({}, 'github', 'create_pr', { repo, head: 'change' }), true, repo);
    assert.is(await isAllowed({}, 'github', 'post_pr_comment', { repo, number: 9 }), true, repo);
  }
});

test('pull requests are looked up by their repository: a forge may have a million', async () => {
  const lookedUp: Row[] = [];
  const setting = { ...mine, lookedUp };
  await ask(setting, 'github', 'create_pr', { repo: 'shop', head: 'new' });
  await ask(setting, 'github', 'post_pr_comment', { repo: 'shop', number: 3 });
  const byForgeAlone = lookedUp.filter((where) => 'forge' in where && !('repo' in where));
  assert.equal(byForgeAlone, []);
});

test('another repository takes neither, nor does the same name at another forge', async () => {
  for (const [provider, repo] of [
    ['github', 'acme/other'],
    ['gitlab', 'acme/shop'],
    ['local', 'shop'],
    ['github', '../x'],
  ] as const) {
    assert.is(
      await isAllowed({}, provider, 'create_pr', { repo, head: 'change' }),
      false,
      `${provider}:${repo}`,
    );
    assert.is(
      await isAllowed({}, provider, 'reply_to_comment', { repo, number: 9 }),
      false,
      `${provider}:${repo}`,
    );
  }
});

test("an agent merges its own job's pull requests and no others", async () => {
  for (const repo of ['acme/shop', 'ACME/Shop', 'shop'])
    assert.is(await isAllowed(mine, 'github', 'merge_pr', { repo, number: 3 }), true);
  assert.is(await isAllowed(mine, 'github', 'merge_pr', { repo: 'acme/shop', number: 4 }), false);
  assert.is(
    await isAllowed({ ...mine, writesTo: ['github:acme/shop'] }, 'github', 'merge_pr', {
      repo: 'acme/shop',
      number: 5,
    }),
    false,
  );
});

test('what svc has opened is approved by no agent, whatever name it is given', async () => {
  const jobWithRepository = { ...mine, writesTo: ['github:acme/shop'] };
  for (const repo of ['acme/shop', 'ACME/shop', 'shop']) {
    assert.is(
      await isAllowed(jobWithRepository, 'github', 'approve_pr', { repo, number: 3 }),
      false,
      repo,
    );
    assert.is(
      await isAllowed(jobWithRepository, 'github', 'approve_pr', { repo, number: 4 }),
      false,
      repo,
    );
  }
  assert.is(
    await isAllowed(jobWithRepository, 'github', 'approve_pr', { repo: 'acme/shop', number: 8 }),
    true,
  );
  assert.is(
    await isAllowed(jobWithRepository, 'github', 'approve_pr', { repo: 'acme/shop', number: 9 }),
    false,
    'opened by the account of svc',
  );
  const local = {
    writesTo: ['local:other'],
    tables: {
      forge_prs: [
        { repo: 'other', number: 1, author: 'svc:x' },
        { repo: 'other', number: 2, author: 'ann' },
      ],
    },
  };
  assert.is(await isAllowed(local, 'local', 'approve_pr', { repo: 'other', number: 1 }), false);
  assert.is(await isAllowed(local, 'local', 'approve_pr', { repo: 'other', number: 2 }), true);
});

test('a pull request that params or front matter name takes comments, and the others of its repository do not', async () => {
  for (const setting of [
    { params: { writesTo: ['github:acme/other#7'] } },
    { writesTo: ['github:acme/other#7'] },
  ]) {
    assert.is(
      await isAllowed(setting, 'github', 'post_pr_comment', { repo: 'ACME/other', number: 7 }),
      true,
    );
    assert.is(
      await isAllowed(setting, 'github', 'post_pr_comment', { repo: 'acme/other', number: 8 }),
      false,
    );
    assert.is(
      await isAllowed(setting, 'github', 'create_pr', { repo: 'acme/other', head: 'x' }),
      false,
    );
  }
});

test("a coordinator comments on its sub-runs' pull requests, not on those of other jobs", async () => {
  const tables = {
    pr_mappings: [mapping('sub-1', 'acme/other', 1), mapping('foreign', 'acme/other', 2)],
  };
  const setting = { tables, parents: { 'sub-1': ME } };
  assert.is(
    await isAllowed(setting, 'github', 'post_pr_comment', { repo: 'acme/other', number: 1 }),
    true,
  );
  assert.is(
    await isAllowed(setting, 'github', 'post_pr_comment', { repo: 'acme/other', number: 2 }),
    false,
  );
  assert.is(
    await isAllowed(setting, 'github', 'merge_pr', { repo: 'acme/other', number: 1 }),
    false,
  );
});

test('a repository that the job has created is its own', async () => {
  const createWriteRows = (job_id: string) => ({
    forge_writes: [
      {
        forge: 'github',
        state: 'done',
        job_id,
        operation: 'create_repo',
        repo: 'new',
        result: '{"result":{"repo":"Acme/New"}}',
      },
    ],
  });
  assert.is(
    await isAllowed({ tables: createWriteRows(ME) }, 'github', 'create_pr', {
      repo: 'acme/new',
      head: 'x',
    }),
    true,
  );
  assert.is(
    await isAllowed({ tables: createWriteRows('other') }, 'github', 'create_pr', {
      repo: 'acme/new',
      head: 'x',
    }),
    false,
  );
});

test("a branch of another job's open pull request, or one that others are merged into, is not pushed to", async () => {
  const { problem } = await ask(mine, 'github', 'create_pr', { repo: 'acme/shop', head: 'change' });
  assert.match(problem ?? '', /github:acme\/shop#4 of the branch change belongs to shop-job-2/);
  const stacked = {
    tables: {
      pr_mappings: [mapping('shop-job-2', 'acme/shop', 4, { head: 'x', base: 'release' })],
    },
  };
  assert.is(
    await isAllowed(stacked, 'github', 'create_pr', { repo: 'acme/shop', head: 'release' }),
    false,
  );
});

test("the job's ticket is written to at its own tracker alone, by the key that a person wrote", async () => {
  const setting = { params: { jiraTicketId: 'SHOP-1', trackerProvider: 'jira' } };
  assert.equal(
    await ask(setting, 'jira', 'post_comment', { key: 'https://x.net/browse/shop-1', body: 'b' }),
    {
      problem: null,
      args: { key: 'SHOP-1', body: 'b' },
    },
  );
  assert.is(await isAllowed(setting, 'linear', 'post_comment', { key: 'SHOP-1' }), false);
  assert.is(await isAllowed(setting, 'jira', 'transition_issue', { key: 'SHOP-2' }), false);
});

test("a sub-run's trackerRef is its ticket", async () => {
  const setting = { params: { parentJobId: 'p', trackerRef: 'SHOP-5', trackerProvider: 'linear' } };
  assert.is(await isAllowed(setting, 'linear', 'transition_issue', { key: 'SHOP-5' }), true);
});

test('tickets that are named: one by one, and at GitHub by their repository', async () => {
  const setting = {
    params: { writesTo: ['jira:SHOP-12', 'github:acme/shop#7', 'github-issues:acme/web'] },
  };
  assert.is(await isAllowed(setting, 'jira', 'post_comment', { key: 'shop-12' }), true);
  assert.is(await isAllowed(setting, 'jira', 'post_comment', { key: 'SHOP-1' }), false);
  assert.is(await isAllowed(setting, 'linear', 'post_comment', { key: 'SHOP-12' }), false);
  assert.is(
    await isAllowed(setting, 'github-issues', 'post_comment', { key: 'acme/shop#7' }),
    true,
  );
  assert.is(await isAllowed(setting, 'github-issues', 'post_comment', { key: 'acme/web#1' }), true);
  assert.is(
    await isAllowed(setting, 'github-issues', 'post_comment', { key: 'acme/web2#1' }),
    false,
  );
});

test('what the trigger was about takes comments, and an approval if others opened it', async () => {
  const setting = (plugin: string, subject: string): Setting => ({
    params: { trigger: { rule: 'r', plugin } },
    tables: { trigger_runs: [{ rule: 'r', subject, job_id: ME }] },
  });
  const ofPr = setting('github', 'acme/other#7');
  assert.is(await isAllowed(ofPr, 'github', 'approve_pr', { repo: 'acme/other', number: 7 }), true);
  assert.is(
    await isAllowed(ofPr, 'github', 'approve_pr', { repo: 'acme/other', number: 8 }),
    false,
  );
  assert.is(
    await isAllowed(setting('gitlab', 'acme/other!7'), 'gitlab', 'post_pr_comment', {
      repo: 'acme/other',
      number: 7,
    }),
    true,
  );
  assert.is(
    await isAllowed(setting('gitlab', 'acme/other!7'), 'github', 'post_pr_comment', {
      repo: 'acme/other',
      number: 7,
    }),
    false,
  );
  assert.is(
    await isAllowed(setting('jira', 'shop-3'), 'jira', 'transition_issue', { key: 'SHOP-3' }),
    true,
  );
});

test('params.trigger without a delivery that made the job grants nothing', async () => {
  assert.is(
    await isAllowed(
      { params: { trigger: { rule: 'r', plugin: 'jira' } } },
      'jira',
      'post_comment',
      { key: 'SHOP-3' },
    ),
    false,
  );
});

test.run();
