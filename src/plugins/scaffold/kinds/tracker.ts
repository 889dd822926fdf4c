import { type ScaffoldKind, TEST_HEAD } from './kind.ts';

const INDEX = `import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, type Issue, type IssueComment } from './contract.js';

/**
 * What this tracker keeps: issues in one JSON file. Yours asks its server instead, with \`request\`,
 * which create() is given beside \`config\` (GuardedRequest of contract.ts).
 */
interface Store {
  issues: Issue[];
  /** By key of the issue; \`operation\` is the id under which svc wrote it. */
  comments: Record<string, (IssueComment & { operation: string })[]>;
}

const FIRST: Store = {
  issues: [
    {
      key: 'DEMO-1',
      title: 'A first issue',
      body: 'Say hello.',
      status: 'open',
      url: 'https://tracker.example/issues/DEMO-1',
    },
  ],
  comments: {},
};
/** Statuses that an issue can get. */
const STATUSES = ['open', 'in progress', 'done'];

/** Account under which svc writes. Yours asks its server whose token it is. */
const ACCOUNT = 'svc';

/** What the server sends to svc when a comment was written. */
interface Delivery {
  event: 'comment.created';
  issue: string;
  comment: { id: string; account: string; name: string; member: boolean; text: string; at: string };
}
const isDelivery = (value: unknown): value is Delivery =>
  typeof value === 'object' &&
  value !== null &&
  'event' in value &&
  value.event === 'comment.created';

/** svc knows these codes; every other error counts as a mistake of the plugin. */
const failure = (code: 'not-found' | 'bad-argument', message: string): Error =>
  Object.assign(new Error(message), { code });

export default definePlugin({
  kind: 'tracker',

  create({ config, clock }) {
    const file = String(config.file);

    // Each call may be in a process of its own: nothing is kept in memory.
    const read = (): Store =>
      existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Store) : structuredClone(FIRST);
    const write = (store: Store): void => {
      const draft = \`\${file}.\${process.pid}\`;
      writeFileSync(draft, JSON.stringify(store, null, 2), { mode: 0o600 });
      renameSync(draft, file);
    };
    const findIssue = (store: Store, key: string): Issue => {
      const found = store.issues.find((issue) => issue.key === key);
      if (found) return found;
      throw failure('not-found', \`There is no issue \${key}.\`);
    };

    return {
      async issue(key) {
        return findIssue(read(), key);
      },

      async comments(key) {
        const store = read();
        return store.comments[findIssue(store, key).key] ?? [];
      },

      async search(text, limit) {
        const wanted = text.toLowerCase();
        return read()
          .issues.filter(({ title, body }) => \`\${title} \${body}\`.toLowerCase().includes(wanted))
          .slice(0, limit);
      },

      async comment(key, body, operation) {
        const store = read();
        const all = store.comments[findIssue(store, key).key] ?? [];
        // svc asks again when an answer was lost: the same operation never writes twice.
        const before = all.find((one) => one.operation === operation);
        if (before) return before;
        const at = new Date(clock.now()).toISOString();
        const made = { id: String(all.length + 1), author: ACCOUNT, body, at, operation };
        store.comments[key] = [...all, made];
        write(store);
        return made;
      },

      async transition(key, status) {
        const store = read();
        const issue = findIssue(store, key);
        if (!STATUSES.includes(status))
          throw failure('bad-argument', \`\${status} is not one of \${STATUSES.join(', ')}.\`);
        issue.status = status;
        write(store);
        return issue;
      },

      // People give a ticket by its address too.
      async issueAt(address) {
        return /^https:\\/\\/tracker\\.example\\/issues\\/([A-Z]+-\\d+)(?:[/?#]|$)/.exec(address)?.[1] ?? null;
      },

      // svc has checked the signature. Whatever is not a new comment is null.
      async commentIn(delivery) {
        if (!isDelivery(delivery)) return null;
        const { issue, comment } = delivery;
        const { id, account, name, member, text, at } = comment;
        // What svc writes itself must not wake its own jobs.
        const own = account === ACCOUNT;
        return { key: issue, id, author: name, authorId: account, member, own, body: text, at };
      },

      async healthcheck() {
        return { ok: true, detail: \`\${read().issues.length} issues in \${file}\` };
      },
    };
  },

  // What the kit tries the plugin with: it writes to this issue, in a file of its own. \`config\`
  // replaces the configured settings; without it the kit tries your server. Keep tokens out of here.
  samples: {
    config: { file: join(tmpdir(), \`svc-plugin-sample-\${process.pid}.json\`) },
    issue: 'DEMO-1',
    status: 'done',
    delivery: ({ id, author, body, at }, own) => ({
      event: 'comment.created',
      issue: 'DEMO-1',
      comment: { id, account: own ? ACCOUNT : author, name: author, member: true, text: body, at },
    }),
  },
});
`;

const TEST = `${TEST_HEAD}import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Answers of your server, for a tracker that asks one: { status, text } by method and path. */
const request = async (url, { method = 'GET' } = {}) => {
  throw new Error(\`No answer is prepared for \${method} \${url}.\`);
};
const trackerWith = (config) => plugin.create({ config, request, clock: { now: Date.now } });

test('a comment is written once, and an issue gets a status', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tracker-'));
  try {
    const config = { file: join(dir, 'issues.json') };
    const tracker = await trackerWith(config);
    const first = await tracker.comment('DEMO-1', 'Hello.', 'operation-1');
    const again = await tracker.comment('DEMO-1', 'Hello.', 'operation-1');
    assert.equal(again.id, first.id);
    assert.equal((await tracker.comments('DEMO-1')).length, 1);
    assert.equal((await tracker.transition('DEMO-1', 'done', 'operation-2')).status, 'done');
    await assert.rejects(tracker.issue('DEMO-9'), { code: 'not-found' });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test('a delivery about a new comment becomes that comment; those of svc are marked, others are nothing', async () => {
  const tracker = await trackerWith({ file: 'unused' });
  const written = { id: '7', author: 'ann', body: 'Why?', at: '2026-01-01T00:00:00Z' };
  const said = await tracker.commentIn(plugin.samples.delivery(written, false));
  assert.deepEqual([said.key, said.body, said.own], ['DEMO-1', 'Why?', false]);
  const own = await tracker.commentIn(plugin.samples.delivery(written, true));
  assert.equal(own.own, true);
  assert.equal(await tracker.commentIn({ event: 'issue.moved' }), null);
});
`;

export const TRACKER: ScaffoldKind = {
  noun: 'The tracker',
  manifest: {
    offers: ['healthcheck', 'issueAt', 'commentIn'],
    // How the server signs what it sends to POST /webhooks/<id>; remove it and commentIn together.
    webhook: { algorithm: 'sha256', header: 'X-Signature', format: 'prefixed-hex' },
    settings: {
      file: { type: 'string', description: 'JSON file with the issues.', required: true },
    },
  },
  index: INDEX,
  test: TEST,
  use: 'A job gets its ticket from it with `svc job --jira-ticket DEMO-1`; where several trackers are installed, also with `--param trackerProvider=ID`. Comments on its tickets wake jobs once `plugins.installed.ID.config.webhookSecret` is set and the server sends its deliveries, signed with it, to `/webhooks/ID`.',
  config: { file: '/home/me/issues.json' },
};
