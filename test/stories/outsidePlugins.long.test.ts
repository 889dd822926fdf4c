import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../src/api/client/problem.ts';
import { removeMark } from '../../src/git/marks.ts';
import {
  FORGE_TOKEN,
  InstalledForgeStage,
  MYFORGE,
} from '../support/forges/installedForgeStage.ts';
import { formatPackageJson, PluginHome, writeFiles } from '../support/pluginFolder.ts';
import { story } from '../support/story.ts';

const test = suite('stories: plugins from outside');

const REPO = 'acme/shop';

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding, tools: [shell, await_event, tracker_get_issue, tracker_post_comment, tracker_transition_issue, scm_merge_pr, scm_create_pr, myforge_get_pr_comments, myforge_reply_to_comment] }
`;

/** From the ticket to a pull request, an answer to a reviewer, the merge, and the ticket's end. */
const CODER = `
const seen = [JSON.stringify(process.env), process.argv.join(' '), readFileSync('.git/config', 'utf8'), kickoff];
if (seen.some((text) => text.includes('canary'))) throw new Error('the token is within reach');
if (kickoff.includes('approved on')) {
  tool('scm_merge_pr', { number: 1 });
  tool('tracker_transition_issue', { status: 'done' });
  process.exit(0);
}
const { issue } = tool('tracker_get_issue');
if (git('branch', '--list', 'change') === '') git('switch', '-q', '-c', 'change');
writeFileSync('note.txt', issue.title + ' ' + session.visit);
git('add', '--all');
git('commit', '-q', '-m', 'A note ' + session.visit);
const pr = tool('scm_create_pr', { head: 'change', title: issue.title, body: issue.key });
if (kickoff.includes('commented on mytracker:BOARD-1')) {
  tool('tracker_post_comment', { body: 'I have read that.' });
} else if (kickoff.includes('commented on')) {
  const asked = tool('myforge_get_pr_comments', { number: 1 }).comments.at(-1);
  tool('myforge_reply_to_comment', { number: 1, commentId: asked.id, body: 'Done.' });
} else tool('tracker_post_comment', { body: 'I have opened ' + pr.prId });
tool('await_event', { prId: pr.prId });
`;

/** A tracker whose issues are in a file, and whose pages are on the server of the forge. */
const tracker = (site: string) => `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
export default {
  kind: 'tracker',
  create: ({ config: { file } }) => {
    const empty = { issue: { key: 'BOARD-1', title: 'Add a note', body: 'See ${site}/board/BOARD-2. Clone it:\\n\\nrepo: ${site}/${REPO}.git', status: 'open', url: '${site}/board/BOARD-1' }, comments: [] };
    const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : empty);
    const write = (all) => writeFileSync(file, JSON.stringify(all));
    const known = (key) => {
      if (key !== 'BOARD-1') throw Object.assign(new Error('no such issue'), { code: 'not-found' });
      return read();
    };
    return {
      issueAt: async (address) => (address === '${site}/board/BOARD-1' ? 'BOARD-1' : null),
      async commentIn({ type, by, text, id }) {
        if (type !== 'commented') return null;
        return { key: 'BOARD-1', id, author: by, own: by === 'svc', member: by === 'ann', body: text, at: new Date().toISOString() };
      },
      issue: async (key) => known(key).issue,
      comments: async (key) => known(key).comments,
      search: async () => [read().issue],
      async comment(key, body, id) {
        const all = known(key);
        const made = all.comments.find((one) => one.id === id) ?? { id, author: 'svc', body, at: '2026-01-01T00:00:00Z' };
        write({ ...all, comments: [...all.comments.filter((one) => one.id !== id), made] });
        return made;
      },
      async transition(key, status) {
        const all = known(key);
        all.issue.status = status;
        write(all);
        return all.issue;
      },
    };
  },
};
`;

test('a forge and a tracker that svc does not know, installed while it runs, serve a job from its ticket to the merge (TOOL-6 TOOL-8 EVT-4 HTTP-6)', async () => {
  const stage = await InstalledForgeStage.open();
  using home = new PluginHome();
  const project = stage.server.state.addProject(REPO, ['svc-robot', 'ann']);
  const file = join(home.dir, 'issues.json');
  const mytracker = writeFiles(join(home.dir, 'mytracker'), {
    'package.json': formatPackageJson('mytracker', {
      kind: 'tracker',
      capabilities: undefined,
      offers: ['issueAt', 'commentIn'],
      webhook: { algorithm: 'sha256', header: 'X-Signature', format: 'prefixed-hex' },
      settings: { file: { type: 'string', description: 'The file.', required: true } },
    }),
    'index.js': tracker(stage.server.url),
  });
  const secret = 'the secret of the webhook';
  const installed = {
    myforge: {
      // Nothing is polled in this test: the webhook must do it.
      config: {
        token: FORGE_TOKEN,
        baseUrl: stage.server.url,
        pollSeconds: 3600,
        webhookSecret: secret,
      },
      allowHosts: ['127.0.0.1'],
    },
    mytracker: { config: { file, webhookSecret: secret } },
  };
  const webhook = (url: string, token: string) =>
    fetch(`${url}/webhooks/myforge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gitlab-token': token },
      body: JSON.stringify({ something: 'happened', at: Date.now() }),
    });
  const deliver = (url: string, delivery: object, key = secret) => {
    const body = JSON.stringify(delivery);
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-signature': `sha256=${signature}` };
    return fetch(`${url}/webhooks/mytracker`, { method: 'POST', headers, body });
  };
  const asAnn = (path: string, body?: unknown) =>
    stage.asAnn(REPO, 'POST', `/merge_requests/1${path}`, body);
  try {
    await story(
      { workflow: WORKFLOW, programs: { coder: CODER }, config: { plugins: { installed } } },
      async (it) => {
        for (const spec of [MYFORGE, mytracker]) {
          const { health } = await it.client.installPlugin({ spec });
          assert.is(health.state, 'healthy', health.detail);
        }
        const absent: unknown = await it
          .job({ repoSlug: 'acme/none', gitProvider: 'myforge' })
          .catch((error: unknown) => error);
        assert.is(absent instanceof ClientError && absent.status, 422);
        assert.match(String(absent), /names acme\/none, but myforge has no such repository/);
        // The repository, the forge and the tracker are what the ticket's address leads to.
        const page = `${stage.server.url}/board/BOARD-1`;
        const job = await it.job({ repoSlug: '', jiraTicketId: page });
        const opened = await it.until(job, (now) => now.parked?.kind === 'event' || now.ended);
        const { jiraTicketId, trackerProvider, repoSlug, gitProvider } = opened.params;
        assert.equal(
          [jiraTicketId, trackerProvider, repoSlug, gitProvider],
          ['BOARD-1', 'mytracker', REPO, 'myforge'],
        );
        const comment = { type: 'commented', by: 'ann', text: 'Is it done?', id: '7' };
        const statuses = [
          await deliver(it.runner.url, comment, 'wrong'),
          await deliver(it.runner.url, { ...comment, id: '5', by: 'svc' }),
          await deliver(it.runner.url, { ...comment, id: '6', by: 'eve' }),
          await deliver(it.runner.url, { type: 'moved' }),
          await deliver(it.runner.url, comment),
          await deliver(it.runner.url, comment),
        ];
        assert.equal(
          statuses.map(({ status }) => status),
          [401, 202, 202, 202, 202, 202],
        );
        const parked = await it.until(
          job,
          (now) => now.parked?.kind === 'event' && now.visit > opened.visit,
        );
        assert.is(
          parked.parked?.reason,
          `waits for a review or merge of ${REPO}#1, or a comment on ticket BOARD-1`,
        );
        assert.equal((await it.client.why(job)).waitsFor, [
          `for a review or merge of ${REPO}#1, or a comment on ticket BOARD-1`,
        ]);
        assert.is(parked.visit, opened.visit + 1);
        assert.match(readFileSync(file, 'utf8'), /I have read that/);
        assert.equal(
          parked.prMappings.map(({ prId, state }) => [prId, state]),
          [[`myforge:${REPO}#1`, 'open']],
        );
        await asAnn('/notes', { body: 'Please add a test.' });
        assert.is((await webhook(it.runner.url, 'wrong')).status, 401);
        assert.is((await webhook(it.runner.url, secret)).status, 202);
        await it.until(job, (now) => now.parked?.kind === 'event' && now.visit > parked.visit);
        await asAnn('/approve');
        assert.is((await webhook(it.runner.url, secret)).status, 202);
        const endedJob = await it.until(job, (now) => now.ended);
        assert.equal(endedJob.status, 'complete');
        assert.equal(endedJob.escalationMessage, null);
        const outsiders = JSON.stringify(await it.log(job)).match(
          /by eve does not reach this job/g,
        );
        assert.is(outsiders?.length, 1);
        const notes = project.mrs[0]?.discussions.flatMap(({ notes }) => notes) ?? [];
        assert.equal(
          notes
            .filter(({ system }) => !system)
            .map(({ author, body }) => [author, removeMark(body)]),
          [
            ['ann', 'Please add a test.'],
            ['svc-robot', 'Done.'],
          ],
        );
        assert.equal(project.mrs.length, 1);
        assert.equal(project.mrs[0]?.state, 'merged');
        const everything = [
          endedJob,
          await it.client.journal(job),
          it.runner.said,
          await it.log(job),
        ];
        assert.not.match(JSON.stringify(everything), /canary/);
      },
    )();
  } finally {
    await stage.stop();
  }
});

test.run();
