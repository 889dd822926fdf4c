import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story, type Story } from '../story.ts';

export interface SentWebhook {
  headers: Record<string, string>;
  body: string;
}

export interface StoryStage {
  config: Record<string, unknown>;
  comment(text: string): Promise<void>;
  approve(): Promise<void>;
  merge(): Promise<void>;
  /** Comments of pull request 1 as `[author, text]`, without the marks of svc. */
  comments(): [author: string, text: string][];
  writes(): { opened: number; merged: number };
  stop(): Promise<void>;
}

export interface StoryForge {
  id: string;
  title: string;
  repo: string;
  /** Login of svc's account; default `svc-robot`. */
  account?: string;
  /** Holds the word `canary`, which is looked for wherever it must not be. */
  token: string;
  /** What an answer "Fixed." to "Please add a note." of ann looks like. */
  reply: string;
  open(): Promise<StoryStage>;
  /** A genuine webhook about a comment on pull request 1, and forged ones; signed with `secret`. */
  webhooks(secret: string): { genuine: SentWebhook; forged: SentWebhook[] };
}

/** An agent merges only where its phase lists the tool. */
const workflowAt = (id: string): string => `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding, tools: [shell, await_event, scm_merge_pr, ${id}_create_pr, ${id}_get_pr_comments, ${id}_reply_to_comment] }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }
`;

/** Opens a pull request, answers comments, merges when approved, and looks for the token. */
const coder = (id: string, repo: string): string => `
const seen = [JSON.stringify(process.env), process.argv.join(' '), readFileSync('.git/config', 'utf8'), kickoff];
if (seen.some((text) => text.includes('canary'))) throw new Error('the token is within reach');
if (kickoff.includes('merged on')) {
  tool('await_event', { prId: '${id}:${repo}#1' });
  process.exit(0);
}
if (kickoff.includes('approved on')) {
  // What was approved, and no commit more.
  tool('scm_merge_pr', { number: 1 });
  tool('await_event', { prId: '${id}:${repo}#1' });
  process.exit(0);
}
if (git('branch', '--list', 'change') === '') git('switch', '-q', '-c', 'change');
writeFileSync('note.txt', kickoff);
git('add', '--all');
git('commit', '-q', '--allow-empty', '-m', 'change ' + session.visit);
const pr = tool('${id}_create_pr', { head: 'change', title: 'A change', body: 'Why' });
if (kickoff.includes('commented on')) {
  const comments = tool('${id}_get_pr_comments', { number: pr.number }).comments;
  const asked = comments.filter(({ author }) => author === 'ann').at(-1);
  tool('${id}_reply_to_comment', { number: pr.number, commentId: asked.id, body: 'Fixed.' });
}
tool('await_event', { prId: pr.prId });
`;

const SECRET = 'the secret of the webhook';

/** The life of a job at a remote forge, from its pull request to the merge, with a real runner. */
export function forgeStories(of: StoryForge): void {
  const { id, title, repo, account = 'svc-robot', token, reply, open, webhooks } = of;
  const test = suite(`stories: ${title}`);
  const prId = `${id}:${repo}#1`;

  const on =
    (tell: (it: Story, stage: StoryStage) => Promise<void>, more: object = {}) =>
    async () => {
      const stage = await open();
      const config = {
        plugins: {
          installed: { [id]: { config: { token, ...stage.config, pollSeconds: 1, ...more } } },
        },
      };
      const programs = { coder: coder(id, repo), tester: "console.log('tested')" };
      try {
        await story({ workflow: workflowAt(id), programs, config }, (it) => tell(it, stage))();
      } finally {
        await stage.stop();
      }
    };

  const start = (it: Story): Promise<string> => it.job({ repoSlug: repo, gitProvider: id });

  test(
    `a job opens a pull request at ${title}, parks, is woken by a comment, fixes the code, is approved, merges and completes (JOB-6 TOOL-6 EVT-1 EVT-2 EVT-4)`,
    on(async (it, stage) => {
      const job = await start(it);
      const parked = await it.until(job, ({ parked }) => parked?.kind === 'event');
      assert.equal(
        parked.prMappings.map(({ prId, head, state }) => [prId, head, state]),
        [[prId, 'change', 'open']],
      );
      await stage.comment('Please add a note.');
      const again = await it.until(
        job,
        ({ parked: now, visit }) => now?.kind === 'event' && visit > parked.visit,
      );
      assert.equal(stage.comments(), [
        ['ann', 'Please add a note.'],
        [account, reply],
      ]);
      await stage.approve();
      const endedJob = await it.until(job, ({ ended }) => ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(
        endedJob.prMappings.map(({ state }) => state),
        ['merged'],
      );
      assert.ok(endedJob.prMappings[0]?.mergedAt);
      assert.ok(endedJob.visit > again.visit);
      assert.equal(stage.writes(), { opened: 1, merged: 1 });

      const forge = (await it.client.forges()).find((one) => one.id === id);
      assert.equal(forge?.account, account);
      assert.equal(forge?.problem, null);
      assert.equal(forge?.writes, { all: 4, undecided: 0 });
      assert.ok((forge?.budget?.sent ?? 0) > 3);
      const journal = await it.client.journal(job);
      const everything = JSON.stringify([
        endedJob,
        journal,
        await it.client.forges(),
        it.runner.said,
        await it.log(job),
      ]);
      assert.not.match(everything, /canary|PRIVATE KEY/);
    }),
  );

  test(
    'what happened while no runner ran is found at the next start, in its order: a comment, then the merge (RUN-4 EVT-2)',
    on(async (it, stage) => {
      const job = await start(it);
      await it.until(job, ({ parked }) => parked?.kind === 'event');
      await it.runner.kill();
      await stage.comment('I merge it myself.');
      await stage.merge();
      await it.runner.start();
      const endedJob = await it.until(job, ({ ended }) => ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(
        endedJob.phases.map(({ phase }) => phase),
        ['coding', 'coding', 'testing'],
      );
      const news = (await it.client.journal(job)).filter(
        ({ event }) => event.type === 'forge.event',
      );
      const events = news.map(({ event }) =>
        Reflect.get(Object(Reflect.get(event, 'event')), 'kind'),
      );
      assert.equal(events, ['commented', 'merged']);
    }),
  );

  test(
    'a signed webhook wakes a job at once, whatever the poll is; one that is sent again or is not genuine changes nothing (EVT-4)',
    on(
      async (it, stage) => {
        const job = await start(it);
        const parked = await it.until(job, (now) => now.parked?.kind === 'event');
        await stage.comment('Please add a note.');
        const { genuine, forged } = webhooks(SECRET);
        const send = async ({ headers, body }: SentWebhook) => {
          const all = { 'content-type': 'application/json', ...headers };
          const response = await fetch(`${it.runner.url}/webhooks/${id}`, {
            method: 'POST',
            headers: all,
            body,
          });
          return [response.status, Reflect.get(Object(await response.json()), 'duplicate')];
        };
        for (const one of forged)
          assert.equal(await send(one), [401, undefined], JSON.stringify(one));
        assert.equal(await send(genuine), [202, false]);
        assert.equal(await send(genuine), [202, true]);
        const again = await it.until(
          job,
          (now) => now.parked?.kind === 'event' && now.visit > parked.visit,
        );
        assert.is(again.visit, parked.visit + 1);
      },
      { pollSeconds: 3600, webhookSecret: SECRET },
    ),
  );

  test.run();
}
