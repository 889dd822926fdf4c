import { type ScaffoldKind, TEST_HEAD } from './kind.ts';
import { SCM_CLIENT } from './scmClient.ts';

const INDEX = `import { createClient, type Note, type Pull, type Review, type Status } from './client.js';
import {
  definePlugin,
  type ScmComment,
  type ScmPullRequest,
  type ScmRepository,
} from './contract.js';

const CHECKS = {
  pending: 'pending',
  success: 'passed',
  failure: 'failed',
  error: 'failed',
  skipped: 'neutral',
} as const;
const VERDICTS = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  DISMISSED: 'withdrawn',
} as const;

/** First names of paths that are pages of the server, and no owners of repositories. */
const PAGES = ['admin', 'explore', 'issues', 'notifications', 'settings', 'users'];

const toPullRequest = (pull: Pull): ScmPullRequest => ({
  repo: pull.base.repo.full_name,
  number: pull.number,
  title: pull.title,
  body: pull.body,
  author: pull.user,
  head: pull.head.ref,
  base: pull.base.ref,
  headCommit: pull.head.sha,
  state: pull.merged ? 'merged' : pull.state,
  url: pull.html_url,
  createdAt: pull.created_at,
  endedAt: pull.merged_at ?? pull.closed_at,
  endedBy: pull.merged_by ?? pull.closed_by,
  mergeCommit: pull.merged ? pull.merge_commit_sha : null,
});

const toComment = (note: Note): ScmComment => ({
  id: String(note.id),
  // Comments of members wake jobs, those of other people do not.
  author: { login: note.user.login, member: note.is_member },
  body: note.body,
  at: note.created_at,
  // The comment that it answers: svc shows threads by it.
  replyTo: note.in_reply_to === null ? null : String(note.in_reply_to),
  url: note.html_url,
});

export default definePlugin({
  kind: 'scm',

  create({ config, request, clock }) {
    const token = String(config.token);
    const api = \`\${String(config.baseUrl).replace(/\\/+$/, '')}/api/v1\`;
    const client = createClient(request, api, token, () => clock.now());
    const toPath = ({ repo, number }: { repo: string; number: number }) =>
      \`/repos/\${repo}/pulls/\${number}\`;
    const read = (pr: { repo: string; number: number }) => client.json<Pull>('GET', toPath(pr));

    return {
      async self() {
        return (await client.json<{ login: string }>('GET', '/user')).login;
      },

      async repository(repo): Promise<ScmRepository> {
        interface Found {
          full_name: string;
          clone_url: string;
          html_url: string;
        }
        const found = await client.json<Found>('GET', \`/repos/\${repo}\`);
        return {
          repo: found.full_name,
          cloneUrl: found.clone_url,
          login: { username: 'svc', password: token },
          url: found.html_url,
        };
      },

      async pullRequests(repo) {
        return (await client.list<Pull>(\`/repos/\${repo}/pulls\`)).map(toPullRequest);
      },

      async pullRequest(pr) {
        const pull = await read(pr);
        const notes = await client.list<Note>(\`/repos/\${pr.repo}/issues/\${pr.number}/comments\`);
        const reviews = await client.list<Review>(\`\${toPath(pr)}/reviews\`);
        const statuses = await client.list<Status>(
          \`/repos/\${pr.repo}/commits/\${pull.head.sha}/statuses\`,
        );
        return {
          ...toPullRequest(pull),
          mergeable: pull.mergeable,
          mergeState: null,
          comments: notes.map(toComment),
          reviews: reviews.map((review) => ({
            ...toComment(review),
            verdict: VERDICTS[review.state],
            commit: review.commit_id,
          })),
          checks: statuses.map((status) => ({
            id: String(status.id),
            name: status.context,
            state: CHECKS[status.state],
            required: true,
            url: status.target_url,
            at: status.state === 'pending' ? null : status.updated_at,
          })),
        };
      },

      async diff(pr) {
        return client.text('GET', \`\${toPath(pr)}.diff\`);
      },

      async createPullRequest({ repo, head, base, title, body }) {
        const asked = { head, base, title, body };
        return toPullRequest(await client.json<Pull>('POST', \`/repos/\${repo}/pulls\`, asked));
      },

      async comment({ repo, number, body, replyTo }) {
        const path = \`/repos/\${repo}/issues/\${number}/comments\`;
        const asked = replyTo === null ? { body } : { body, in_reply_to: Number(replyTo) };
        return toComment(await client.json<Note>('POST', path, asked));
      },

      async approve(pr) {
        const { head } = await read(pr);
        await client.text('POST', \`\${toPath(pr)}/reviews\`, { event: 'APPROVED', commit_id: head.sha });
      },

      async merge({ repo, number, head, message }) {
        // The server refuses another commit than this one: a merge is of what was approved.
        const asked = { Do: 'merge', head_commit_id: head, MergeTitleField: message };
        await client.text('POST', \`\${toPath({ repo, number })}/merge\`, asked);
        return toPullRequest(await read({ repo, number }));
      },

      async changes(prs) {
        return Promise.all(
          prs.map(async (pr) => {
            const pull = await read(pr);
            return \`\${pull.updated_at} \${pull.head.sha} \${pull.state} \${pull.mergeable}\`;
          }),
        );
      },

      // Addresses in tickets: for git, of the page, or of a page in it. Yours knows its own form.
      async repositoryAt(address) {
        const url = URL.canParse(address) ? new URL(address) : null;
        if (url === null || url.host !== new URL(api).host) return null;
        const [, owner = '', name = ''] =
          /^\\/([\\w.-]+)\\/([\\w.-]+?)(?:\\.git)?(?:\\/(?:pulls|src|commit)\\/.*)?\\/?$/.exec(url.pathname) ?? [];
        return owner === '' || PAGES.includes(owner) ? null : \`\${owner}/\${name}\`;
      },

      async healthcheck() {
        try {
          const { login } = await client.json<{ login: string }>('GET', '/user');
          return { ok: true, detail: \`Logged in as \${login}.\` };
        } catch (error) {
          return { ok: false, detail: String(error) };
        }
      },
    };
  },

  // What the kit tries the plugin with. These settings replace the configured ones in every try. To
  // try every promise on your server: remove \`config\`, so that the configured settings count, and
  // add \`repo\`, a repository for tries alone. Keep tokens out of this file: it is in the package.
  samples: { config: { baseUrl: 'https://forge.invalid', token: 'sample' } },
});
`;

const TEST = `${TEST_HEAD}
const PULL = {
  number: 7,
  title: 'A change',
  body: 'Why.',
  state: 'closed',
  merged: true,
  user: { login: 'ann' },
  head: { ref: 'change', sha: 'a'.repeat(40) },
  base: { ref: 'main', repo: { full_name: 'acme/shop' } },
  mergeable: null,
  html_url: 'https://forge.test/acme/shop/pulls/7',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  merged_at: '2026-01-02T00:00:00Z',
  closed_at: '2026-01-02T00:00:00Z',
  merged_by: { login: 'svc' },
  closed_by: null,
  merge_commit_sha: 'b'.repeat(40),
};

/** A forge in front of a server that gives these answers by method and path. */
const forgeOn = (answers) => {
  const request = async (url, { method = 'GET' } = {}) => {
    const { pathname } = new URL(url);
    const answer = answers[\`\${method} \${pathname.replace('/api/v1', '')}\`];
    return answer === undefined
      ? { status: 404, text: 'not there' }
      : { status: 200, text: JSON.stringify(answer) };
  };
  const config = { baseUrl: 'https://forge.test/', token: 'secret' };
  return plugin.create({ config, request, clock: { now: Date.now } });
};

test('a pull request that was merged is described as the contract says', async () => {
  const forge = await forgeOn({
    'GET /repos/acme/shop/pulls': [PULL],
  });
  const [pull] = await forge.pullRequests('acme/shop');
  assert.equal(pull.state, 'merged');
  assert.deepEqual(pull.endedBy, { login: 'svc' });
});

test('a pull request that was closed without a merge names who closed it', async () => {
  const closed = { ...PULL, merged: false, merged_at: null, merged_by: null };
  const forge = await forgeOn({
    'GET /repos/acme/shop/pulls': [{ ...closed, closed_by: { login: 'ann' } }],
  });
  const [pull] = await forge.pullRequests('acme/shop');
  assert.equal(pull.state, 'closed');
  assert.deepEqual(pull.endedBy, { login: 'ann' });
});

test('a comment that answers another one is read back with it', async () => {
  const note = {
    id: 3,
    in_reply_to: 2,
    user: { login: 'ann' },
    is_member: true,
    body: 'Yes.',
    created_at: '2026-01-01T00:00:00Z',
    html_url: 'https://forge.test/acme/shop/pulls/7#3',
  };
  const head = PULL.head.sha;
  const forge = await forgeOn({
    'GET /repos/acme/shop/pulls/7': PULL,
    'GET /repos/acme/shop/issues/7/comments': [note],
    'GET /repos/acme/shop/pulls/7/reviews': [],
    [\`GET /repos/acme/shop/commits/\${head}/statuses\`]: [],
  });
  const { comments } = await forge.pullRequest({ repo: 'acme/shop', number: 7 });
  assert.equal(comments[0].replyTo, '2');
});

test('an address of the server names a repository, one of another server or of no repository does not', async () => {
  const forge = await forgeOn({});
  const at = (path) => forge.repositoryAt(\`https://forge.test/\${path}\`);
  assert.equal(await at('acme/shop.git'), 'acme/shop');
  assert.equal(await at('acme/shop/pulls/7'), 'acme/shop');
  assert.equal(await at('acme'), null);
  assert.equal(await at('issues/MT-1'), null);
  assert.equal(await forge.repositoryAt('https://elsewhere.test/acme/shop'), null);
});

test('what is not there has a code that svc knows', async () => {
  const forge = await forgeOn({});
  await assert.rejects(forge.pullRequest({ repo: 'acme/shop', number: 9 }), { code: 'not-found' });
});
`;

export const SCM: ScaffoldKind = {
  noun: 'The forge',
  manifest: {
    offers: ['healthcheck', 'changes', 'repositoryAt'],
    settings: {
      baseUrl: {
        type: 'string',
        description: 'Address of the server, https://… or http://…',
        required: true,
      },
      token: {
        type: 'string',
        description: "Token of svc's account.",
        required: true,
        secret: true,
      },
    },
  },
  index: INDEX,
  more: { 'src/client.ts': SCM_CLIENT },
  test: TEST,
  use: 'A job works on one of its repositories with `svc job --repo acme/shop --git-provider ID`.',
  config: {
    baseUrl: 'https://forge.example.com',
    token: '',
  },
};
