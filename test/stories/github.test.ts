import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FakeGithub } from '../support/fakeGithub/fakeGithub.ts';
import { story, type Story } from '../support/story.ts';

const test = suite('stories: GitHub');

const TOKEN = 'ghp_canarycanarycanarycanary';
const REPO = 'acme/shop';

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }
`;

/** Opens a pull request, answers what it is told, merges when it is approved, and looks for the token wherever it can. */
const CODER = `
const seen = [JSON.stringify(process.env), process.argv.join(' '), readFileSync('.git/config', 'utf8'), kickoff];
if (seen.some((text) => text.includes('canary'))) throw new Error('the token is within reach');
if (kickoff.includes('merged on')) {
  tool('await_event', { prId: 'github:acme/shop#1' });
  process.exit(0);
}
if (git('branch', '--list', 'change') === '') git('switch', '-q', '-c', 'change');
writeFileSync('note.txt', kickoff);
git('add', '--all');
git('commit', '-q', '--allow-empty', '-m', 'change ' + session.visit);
const pr = tool('github_create_pr', { head: 'change', title: 'A change', body: 'Why' });
if (kickoff.includes('approved on')) {
  tool('scm_merge_pr', { number: pr.number });
} else if (kickoff.includes('commented on')) {
  const comments = tool('github_get_pr_comments', { number: pr.number }).comments;
  const asked = comments.filter(({ author }) => author === 'ann').at(-1);
  tool('github_reply_to_comment', { number: pr.number, commentId: asked.id, body: 'Mended.' });
}
tool('await_event', { prId: pr.prId });
`;

/** A story with a fake GitHub beside it. */
const withGithub =
  (run: (it: Story, github: FakeGithub) => Promise<void>, more: object = {}) =>
  async () => {
    const github = new FakeGithub();
    github.state.addUser(TOKEN, 'svc-robot');
    github.state.addUser('ann', 'ann');
    github.state.addRepo(REPO);
    await github.start();
    const config = {
      plugins: { installed: { github: { config: { token: TOKEN, baseUrl: github.url, pollSeconds: 1, ...more } } } },
    };
    try {
      await story({ workflow: WORKFLOW, programs: { coder: CODER, tester: "console.log('tested')" }, config }, (it) =>
        run(it, github),
      )();
    } finally {
      await github.stop();
    }
  };

const asAnn = async (github: FakeGithub, path: string, body: object): Promise<void> => {
  const headers = { authorization: 'token ann' };
  const response = await fetch(`${github.url}/api/v3/repos/${REPO}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
};

test(
  'a job opens a pull request at GitHub, parks, is woken by a comment, mends, is approved, merges and completes (JOB-6 TOOL-6 EVT-1 EVT-2 EVT-4)',
  withGithub(async (it, github) => {
    const id = await it.job({ repoSlug: REPO });
    const parked = await it.until(id, (job) => job.parked?.kind === 'event');
    assert.equal(
      parked.prMappings.map(({ prId, head, state }) => [prId, head, state]),
      [[`github:${REPO}#1`, 'change', 'open']],
    );
    await asAnn(github, '/issues/1/comments', { body: 'Please add a note.' });
    const again = await it.until(id, (job) => job.parked?.kind === 'event' && job.visit > parked.visit);
    const { comments } = github.state.pr(REPO, 1);
    assert.equal(
      comments.map(({ author, body }) => [author, body.replace(/\n\n<!-- svc:.*$/, '')]),
      [
        ['ann', 'Please add a note.'],
        ['svc-robot', '> ann: Please add a note.\n\nMended.'],
      ],
    );
    await asAnn(github, '/pulls/1/reviews', { event: 'APPROVE' });
    const done = await it.until(id, (job) => job.ended);
    assert.equal([done.status, done.prMappings.map(({ state }) => state)], ['complete', ['merged']]);
    assert.ok(done.prMappings[0]?.mergedAt);
    assert.ok(done.visit > again.visit);
    assert.equal([github.writes(/^\/repos\/acme\/shop\/pulls$/), github.writes(/merge$/)], [1, 1]);

    const [, forge] = await it.client.forges();
    assert.equal(
      [forge?.id, forge?.account, forge?.problem, forge?.writes],
      ['github', 'svc-robot', null, { all: 5, undecided: 0 }],
    );
    assert.ok((forge?.budget?.sent ?? 0) > 3);
    const everything = JSON.stringify([
      done,
      await it.client.journal(id),
      await it.client.forges(),
      it.runner.said,
      await it.log(id),
    ]);
    assert.not.match(everything, /canary/);
  }),
);

test(
  'what happened while no runner ran is found at the next start, in its order: a comment, then the merge (RUN-4 EVT-2)',
  withGithub(async (it, github) => {
    const id = await it.job({ repoSlug: REPO });
    await it.until(id, (job) => job.parked?.kind === 'event');
    await it.runner.kill();
    await asAnn(github, '/issues/1/comments', { body: 'I merge it myself.' });
    const headers = { authorization: 'token ann' };
    await fetch(`${github.url}/api/v3/repos/${REPO}/pulls/1/merge`, { method: 'PUT', headers, body: '{}' });
    await it.runner.start();
    const done = await it.until(id, (job) => job.ended);
    assert.equal([done.status, done.phases.map(({ phase }) => phase)], ['complete', ['coding', 'coding', 'testing']]);
    const news = (await it.client.journal(id)).filter(({ event }) => event.type === 'forge.event');
    const events = news.map(({ event }) => Reflect.get(Object(Reflect.get(event, 'event')), 'kind'));
    assert.equal(events, ['commented', 'merged']);
  }),
);

const SECRET = 'the secret of the webhook';

test(
  'a signed webhook wakes a job at once, whatever the poll is; one that is sent again or is not genuine changes nothing (EVT-4)',
  withGithub(
    async (it, github) => {
      const id = await it.job({ repoSlug: REPO });
      const parked = await it.until(id, (job) => job.parked?.kind === 'event');
      await asAnn(github, '/issues/1/comments', { body: 'Please add a note.' });
      const body = JSON.stringify({ action: 'created', repository: { full_name: REPO }, issue: { number: 1, pull_request: {} } });
      const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
      const send = async (headers: Record<string, string>, text = body) => {
        const all = {
          'content-type': 'application/json',
          'x-github-delivery': 'delivery-1',
          'x-github-event': 'issue_comment',
          ...headers,
        };
        const response = await fetch(`${it.runner.url}/webhooks/github`, { method: 'POST', headers: all, body: text });
        return [response.status, Reflect.get(Object(await response.json()), 'duplicate')];
      };
      const signed = { 'x-hub-signature-256': signature };
      assert.equal(await send({}), [401, undefined]);
      assert.equal(await send({ 'x-hub-signature-256': signature.replace('sha256', 'sha512') }), [401, undefined]);
      assert.equal(await send(signed, body.replace('created', 'deleted')), [401, undefined]);
      assert.equal(await send(signed, body.slice(1)), [401, undefined]);
      assert.equal(await send(signed), [202, false]);
      assert.equal(await send(signed), [202, true]);
      const again = await it.until(id, (job) => job.parked?.kind === 'event' && job.visit > parked.visit);
      assert.is(again.visit, parked.visit + 1);
    },
    { pollSeconds: 3600, webhookSecret: SECRET },
  ),
);

test.run();
