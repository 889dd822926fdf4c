import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { AccountWriter, type WriteRow } from '../../../src/providers/account/accountWriter.ts';
import { writeTracker } from '../../../src/jobs/tickets/writeTracker.ts';
import type { ForgeChange } from '../../../src/contract/forge/forge.ts';
import type { JobTracker } from '../../../src/contract/forge/tracker.ts';
import type { FakeForgeServer } from './fakeForge/server.ts';
import type { IssueStore, TrackerUser } from './fakeTrackers/issueStore.ts';
import { catchRefusal } from '../refusal.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';
import { unscreened } from '../standIns/unscreened.ts';

type FakeTracker = FakeForgeServer<TrackerUser> & { store: IssueStore };

/** A tracker of the product and the fake server in front of which it stands. */
export interface TrackerKind {
  name: string;
  fake(): FakeTracker;
  make(parts: {
    url: string;
    token: string;
    accountClient: AccountClient;
  }): JobTracker & { healthcheck(): Promise<{ ok: boolean; detail: string }> };
  key(n: number): string;
  address(url: string, n: number): string;
  stored(text: string): unknown;
  /** A status that can be reached from the first one, and one that cannot. */
  statuses: { first: string; next: string; never: string };
  /** Whether it shows which accounts are the site's own. */
  showsMembers: boolean;
  transitionFields: boolean;
  /** Whether a comment whose answer was lost can be sent again without harm. */
  commentsOnce: boolean;
}

const TOKEN = 'tracker-secret-token';
const READ_ONLY = 'read-only-token';
const CALLER = { jobId: 'job-1', phase: 'coding' };

export function trackerContract(kind: TrackerKind): void {
  const test = suite(`tracker contract: ${kind.name}`);
  const { key, statuses } = kind;

  async function openStage() {
    const server = kind.fake();
    server.store.addUser(TOKEN, 'svc');
    server.store.addUser(READ_ONLY, 'svc', { canWrite: false });
    const issue = server.store.addIssue(
      key(1),
      'Add a note',
      kind.stored('The shop needs a **note**.'),
      { labels: ['ui'] },
    );
    await server.start();
    const make = (token: string) => {
      const accountClient = new AccountClient({
        mayAct: mayAlwaysAct,
        screen: unscreened,
        host: 'the fake',
        clock: systemClock,
        random: () => 0,
        fetch,
        perJob: 600,
        writeGapMs: 0,
      });
      return kind.make({ url: server.url, token, accountClient });
    };
    const listOwnComments = () => issue.comments.filter(({ author }) => author === 'svc');
    return {
      server,
      store: server.store,
      issue,
      make,
      tracker: make(TOKEN),
      written: listOwnComments,
    };
  }
  type Stage = Awaited<ReturnType<typeof openStage>>;
  const on = (run: (stage: Stage) => Promise<void>) => async () => {
    const stage = await openStage();
    try {
      await run(stage);
    } finally {
      await stage.server.stop();
    }
  };

  test(
    'an issue is read by its key and by its address; one that is not there, and what is no key, are not found',
    on(async ({ tracker, server }) => {
      const { url, links, member, ...issue } = await tracker.issue(key(1));
      assert.equal(issue, {
        key: key(1),
        title: 'Add a note',
        body: 'The shop needs a **note**.',
        status: statuses.first,
        labels: ['ui'],
      });
      assert.equal(links, []);
      assert.equal(url, kind.address(server.url, 1));
      assert.is((await tracker.issue(url)).key, key(1));
      assert.equal(tracker.serves(key(1)), true);
      assert.equal(tracker.serves(url), true);
      assert.equal(tracker.serves('no key'), false);
      for (const wrong of [key(99), 'no key', '../../rest', '']) {
        assert.is((await catchRefusal(() => tracker.issue(wrong))).code, 'not-found', wrong);
      }
    }),
  );

  test(
    'an issue of an author outside of the site is marked as such',
    on(async ({ tracker, store }) => {
      store.addUser('t9', 'eve', { isCustomer: true });
      store.addIssue(key(8), 'From outside', kind.stored('x'), { author: 'eve' });
      assert.not((await tracker.issue(key(8))).member);
    }),
  );

  test(
    'an issue of one of the site does too, where the tracker shows it',
    on(async ({ tracker }) => {
      assert.is((await tracker.issue(key(1))).member, kind.showsMembers);
    }),
  );

  test(
    'a comment of an author outside of the site is marked as such',
    on(async ({ tracker, store, issue }) => {
      store.addUser('t9', 'eve', { isCustomer: true });
      store.addComment(issue, 'eve', kind.stored('Do as I say.'));
      const [comment] = await tracker.comments(key(1));
      assert.not(comment?.member);
    }),
  );

  test(
    'a comment of one of the site does too, where the tracker shows it',
    on(async ({ tracker, store, issue }) => {
      store.addComment(issue, 'ann', kind.stored('I agree.'));
      const [comment] = await tracker.comments(key(1));
      assert.is(comment?.member, kind.showsMembers);
    }),
  );

  test(
    'comments are returned oldest first, over all pages',
    on(async ({ tracker, store, issue }) => {
      for (const [n, text] of ['one', 'two', 'three', 'four', 'five'].entries()) {
        store.addComment(issue, 'ann', kind.stored(text), { at: Date.UTC(2026, 0, n + 1) });
      }
      const comments = await tracker.comments(key(1));
      assert.equal(
        comments.map(({ author, body, at }) => [author, body, at.slice(0, 10)]),
        ['one', 'two', 'three', 'four', 'five'].map((text, n) => [
          'ann',
          text,
          `2026-01-0${n + 1}`,
        ]),
      );
    }),
  );

  test(
    'a search keeps to its limit, over pages; without words it tells what changed last; what is new may be missing',
    on(async ({ tracker, store }) => {
      for (let n = 2; n <= 6; n += 1)
        store.addIssue(key(n), `Note ${n}`, kind.stored('x'), { updatedAt: Date.now() + n });
      assert.equal(
        (await tracker.search('note', 3)).map((one) => one.key),
        [key(6), key(5), key(4)],
      );
      assert.equal(
        (await tracker.search('', 5)).map((one) => one.key),
        [key(6), key(5), key(4), key(3), key(2)],
      );
      assert.equal((await tracker.search('nothing has this', 5)).length, 0);
      store.searchLagMs = 60_000;
      store.addIssue(key(7), 'A late note', kind.stored('x'));
      assert.equal(await tracker.search('late', 5), []);
      assert.is((await tracker.issue(key(7))).title, 'A late note');
    }),
  );

  test(
    'a search takes a text as it is: nothing in it is a command of the tracker',
    on(async ({ tracker }) => {
      assert.equal(await tracker.search('" OR key = "SHOP-1" \\ (', 5), []);
    }),
  );

  test(
    'a comment keeps its form; repeated under its operation id it exists once, under another one twice (TOOL-8)',
    on(async ({ tracker, written }) => {
      const text = 'Done in **two** steps:\n\n- first\n- `second`';
      const comment = await tracker.comment(key(1), text, 'op-1');
      assert.is((await tracker.comment(key(1), text, 'op-1')).id, comment.id);
      assert.is((await tracker.comments(key(1))).at(-1)?.body, text);
      await tracker.comment(key(1), text, 'op-2');
      assert.is(written().length, 2);
      assert.is(
        (await catchRefusal(async () => tracker.comment(key(1), '  ', 'op-3'))).code,
        'bad-argument',
      );
    }),
  );

  test(
    'an issue moves along its workflow, again without harm; a status that cannot be reached is refused with those that can (TOOL-8)',
    on(async ({ tracker, server, issue }) => {
      const moved = await tracker.transition(key(1), statuses.next.toUpperCase(), 'op-1');
      assert.equal(moved.status, statuses.next);
      assert.equal(issue.status, statuses.next);
      const before = server.seen.length;
      assert.is((await tracker.transition(key(1), statuses.next, 'op-1')).status, statuses.next);
      // Looked at, and not set again.
      assert.ok(
        server.seen
          .slice(before)
          .every(({ method, path }) => method === 'GET' || path === '/graphql'),
      );
      const error = await catchRefusal(() => tracker.transition(key(1), statuses.never, 'op-2'));
      assert.is(error.code, 'conflict');
      assert.match(
        error.message,
        new RegExp(
          `^${key(1)} is ${statuses.next} and cannot become "${statuses.never}".* ${statuses.first}`,
        ),
      );
    }),
  );

  test(
    kind.transitionFields
      ? 'fields that a status does not have are refused, and nothing is changed (TOOL-8)'
      : 'a tracker that takes no fields with a status refuses them, and nothing is changed (TOOL-8)',
    on(async ({ tracker, issue }) => {
      const fields = { Resolution: 'Fixed' };
      assert.is(tracker.transitionFields, kind.transitionFields);
      const error = await catchRefusal(() =>
        tracker.transition(key(1), statuses.next, 'op-1', fields),
      );
      assert.is(error.code, 'bad-argument');
      assert.match(
        error.message,
        kind.transitionFields
          ? /"Resolution" is not a field of it/
          : /takes no fields with a new status: leave "fields" out/,
      );
      assert.is(issue.status, statuses.first);
      assert.is(
        (await tracker.transition(key(1), statuses.next, 'op-2', {})).status,
        statuses.next,
      );
    }),
  );

  test(
    'a wrong token and one that may not write are said so, without the token; what it can is what the health check says',
    on(async ({ make, tracker }) => {
      const wrong = make('mistyped-secret');
      for (const error of [
        await catchRefusal(() => wrong.issue(key(1))),
        await catchRefusal(() => wrong.healthcheck()),
      ]) {
        assert.is(error.code, 'config-invalid');
        assert.match(error.message, /plugins\.installed\.[a-z]+\.config\./);
        assert.not.match(error.message, /secret/);
      }
      const health = await tracker.healthcheck();
      assert.is(health.ok, true);
      assert.match(health.detail, /^Logged in as svc /);
      const readOnly = make(READ_ONLY);
      assert.is((await readOnly.issue(key(1))).key, key(1));
      assert.is(
        (await catchRefusal(() => readOnly.comment(key(1), 'x', 'op-1'))).code,
        'forbidden',
      );
    }),
  );

  test(
    'a refusal for too many requests is waited out',
    on(async ({ tracker, store, server }) => {
      store.retryAfter = 0;
      store.left = 0;
      assert.is((await tracker.issue(key(1))).key, key(1));
      assert.ok(server.seen.length >= 2);
    }),
  );

  /** A write service, and the table that outlives it. */
  const createService = (tracker: JobTracker) => {
    const rows = new Map<string, WriteRow>();
    const clock = new SimulatedClock(Date.now());
    const put = (all: ForgeChange['rows']) => {
      for (const { table, row } of all) {
        if (table === 'forge_writes') rows.set(row.operation_id, { number: null, ...row });
      }
    };
    const service = new AccountWriter({
      row: (id) => rows.get(id),
      clock,
      commit: async (all) => put(all),
    });
    const post = async () => {
      const actor = { author: 'svc:job-1', at: Date.now(), operationId: 'job-1/7/0' };
      const write = writeTracker(
        service,
        tracker,
        'post_comment',
        { key: key(1), body: 'Once.' },
        actor,
        CALLER,
      );
      let over = false;
      const end = () => {
        over = true;
      };
      write?.then(end, end);
      while (!over) {
        await new Promise((resolve) => setImmediate(resolve));
        if (!over) clock.runNext();
      }
      const change = await write;
      put(change?.rows ?? []);
      return change?.result;
    };
    return { rows, post, state: () => rows.get('job-1/7/0')?.state };
  };
  const isWrite = ({ method }: { method: string }, written: boolean): boolean =>
    method === 'POST' && written;

  test(
    'a comment whose answer is lost is found again and never written twice',
    on(async ({ tracker, server, written }) => {
      const it = createService(tracker);
      let cuts = 1;
      server.fault = (request) =>
        isWrite(request, written().length === 0 && isComment(request)) && cuts-- > 0
          ? 'cut-after'
          : null;
      const result = await it.post();
      assert.equal(written().length, 1);
      assert.equal(result?.commentId, written()[0]?.id);
      assert.equal(it.state(), 'done');
      assert.equal(await it.post(), result);
      assert.is(written().length, 1);
    }),
  );

  test(
    kind.commentsOnce
      ? 'a comment that may not have arrived is sent again, since the tracker takes its id only once'
      : 'a comment whose outcome is unknown is undecided, and never sent again',
    on(async ({ tracker, server, written }) => {
      const it = createService(tracker);
      let cuts = 1;
      server.fault = (request) =>
        isWrite(request, isComment(request)) && it.state() === 'sent' && cuts-- > 0
          ? 'cut-before'
          : null;
      if (kind.commentsOnce) {
        await it.post();
        assert.equal(written().length, 1);
        assert.equal(it.state(), 'done');
        return;
      }
      for (const _attempt of [1, 2]) assert.is((await catchRefusal(it.post)).code, 'undecided');
      assert.equal(written().length, 0);
      assert.equal(it.state(), 'undecided');
    }),
  );

  /** GraphQL has one path for all: there the fake is asked what it would write. */
  const isComment = ({ path }: { path: string }): boolean =>
    path === '/graphql' || path.endsWith('/comment') || path.endsWith('/comments');

  test.run();
}
