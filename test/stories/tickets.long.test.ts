import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../src/api/client/problem.ts';
import { adfToMarkdown } from '../../src/providers/jira/adf/adfToMarkdown.ts';
import { markdownToAdf } from '../../src/providers/jira/adf/markdownToAdf.ts';
import { FakeJira } from '../support/forges/fakeTrackers/fakeJira.ts';
import { formatPackageJson, writeFiles } from '../support/pluginFolder.ts';
import { type Story, story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: tickets');
const long = longLane(test);

const TOKEN = 'jira-canary-token';

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
createParams: { required: [repo], optional: [] }
`;

/**
 * Reads its ticket, says what it does there, moves it on, and looks for the token wherever it can.
 */
const CODER = `
const seen = [JSON.stringify(process.env), process.argv.join(' '), readFileSync('.git/config', 'utf8'), kickoff];
if (seen.some((text) => text.includes('canary'))) throw new Error('the token is within reach');
const { issue } = tool('tracker_get_issue');
const { comments } = tool('jira_get_comments', { key: issue.key });
const found = tool('jira_search_issues', { text: 'note', limit: 5 }).issues.map(({ key }) => key);
tool('tracker_post_comment', { body: 'I begin. ' + comments.length + ' comment, found ' + found.join(' ') });
tool('tracker_transition_issue', { status: 'In Progress' });
const why = refused('tracker_transition_issue', { status: 'Archived' });
tool('jira_post_comment', { key: issue.key, body: 'Refused: ' + why });
tool('jira_transition_issue', { key: issue.key, status: 'Done' });
`;

/** A story with a fake Jira that has one ticket beside it. */
const withJira =
  (tell: (it: Story, jira: FakeJira) => Promise<void>, more: Record<string, unknown> = {}) =>
  async () => {
    const jira = new FakeJira(3);
    jira.store.addUser(TOKEN, 'svc');
    const issue = jira.store.addIssue(
      'ABC-1',
      'Add a note',
      markdownToAdf('The shop needs a note.\n\nrepo: repo'),
    );
    jira.store.addComment(issue, 'ann', markdownToAdf('Soon, please.'));
    await jira.start();
    const config = {
      plugins: {
        installed: {
          jira: {
            config: { baseUrl: jira.url, username: 'svc@example.test', token: TOKEN, ...more },
          },
        },
      },
    };
    try {
      await story({ workflow: WORKFLOW, programs: { coder: CODER }, config }, (it) =>
        tell(it, jira),
      )();
    } finally {
      await jira.stop();
    }
  };

const listCommentTexts = (jira: FakeJira): string[] =>
  jira.store.issue('ABC-1').comments.map(({ author, body }) => `${author}: ${adfToMarkdown(body)}`);

/** What the runner refuses a request with. */
const refusedWith = async (run: () => Promise<unknown>): Promise<ClientError> => {
  const error = await run().catch((thrown: unknown) => thrown);
  if (error instanceof ClientError) return error;
  throw new Error(`expected a refusal, but got ${JSON.stringify(error)}`);
};

const create = (it: Story, params: Record<string, unknown>, key?: string) =>
  it.client.createJob(
    { type: 'job', workflowPath: 'workflows/story.md', params },
    key === undefined ? {} : { idempotencyKey: key },
  );

test(
  'svc job --jira-ticket alone makes a job of the ticket; its agent reads, comments and moves the ticket, each once though an answer is lost (TOOL-8 CLI-1 JOB-6)',
  withJira(async (it, jira) => {
    let cuts = 1;
    jira.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('/comment') && cuts-- > 0 ? 'cut-after' : null;
    const output = await it.runner.command(
      'job',
      '--jira-ticket',
      'ABC-1',
      '--workflow',
      'workflows/story.md',
      '--no-stream',
      '--json',
    );
    const { jobId } = JSON.parse(output);
    const endedJob = await it.until(jobId, (job) => job.ended);
    assert.equal(endedJob.status, 'complete');
    assert.equal(endedJob.escalationMessage, null);
    const { description, repoSlug, jiraTicketId, trackerProvider } = endedJob.params;
    assert.equal(repoSlug, 'repo');
    assert.equal(jiraTicketId, 'ABC-1');
    assert.equal(trackerProvider, 'jira');
    assert.match(
      String(description),
      /^Add a note\n\n\(Ticket ABC-1 of jira, http:\/\/127\.0\.0\.1:\d+\/browse\/ABC-1\)\n\nThe shop needs a note\./,
    );

    assert.is(jira.store.issue('ABC-1').status, 'Done');
    const texts = listCommentTexts(jira);
    assert.is(texts.length, 3);
    assert.match(texts[1] ?? '', /I begin\. 1 comment, found ABC-1/);
    assert.match(texts[2] ?? '', /cannot become .*Archived.* It can become: Done, To Do/);

    const everything = JSON.stringify([
      endedJob,
      await it.client.journal(jobId),
      await it.client.plugins(),
      it.runner.said,
      output,
      await it.log(jobId),
    ]);
    assert.not.match(everything, /canary/);
    assert.not.match(
      everything,
      new RegExp(Buffer.from(`svc@example.test:${TOKEN}`).toString('base64')),
    );
  }),
);

long(
  'a repeat of the request under its Idempotency-Key gets the first job and sends no request to the tracker',
  withJira(async (it, jira) => {
    const first = await create(it, { jiraTicketId: 'ABC-1' }, 'once');
    jira.fault = () => ({ status: 500 });
    assert.equal(await create(it, { jiraTicketId: 'ABC-1' }, 'once'), first);
    // What says all itself needs no tracker.
    assert.match(
      (await create(it, { jiraTicketId: 'ABC-1', repoSlug: 'repo', description: 'A note' })).jobId,
      /^repo-job-/,
    );
  }),
);

long(
  'a ticket that cannot be used is said at once: not there, without a repository, not to be asked for',
  withJira(async (it, jira) => {
    const reasons = async (params: Record<string, unknown>) => {
      const error = await refusedWith(() => create(it, params));
      return [
        error.code,
        ...(error.problem.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`),
      ];
    };
    assert.equal(await reasons({ jiraTicketId: 'ABC-9' }), [
      'invalid',
      `/params/jiraTicketId ${new URL(jira.url).host} has no issue ABC-9, or the token may not see it.`,
    ]);
    jira.store.addIssue('ABC-2', 'Elsewhere', markdownToAdf('See https://github.com/acme/shop'));
    assert.equal(await reasons({ jiraTicketId: 'ABC-2' }), [
      'invalid',
      '/params/repoSlug is required by the workflow; the ticket ABC-2 of jira names no repository: it has no line "repo: <slug>", no label "repo:<slug>" and no link to a repository (looked for: no forge with a site)',
    ]);
    assert.equal(await reasons({ jiraTicketId: 'ABC-1', trackerProvider: 'linear' }), [
      'invalid',
      '/params/jiraTicketId Unknown tracker linear (params.trackerProvider). Configured: jira.',
    ]);
    jira.store.users.clear();
    const wrong = await refusedWith(() => create(it, { jiraTicketId: 'ABC-1' }));
    assert.is(wrong.code, 'config-invalid');
    const { host } = new URL(jira.url);
    const refused = `${host} does not accept the token: renew plugins.installed.jira.config.token. `;
    assert.ok(wrong.message.startsWith(refused), wrong.message);
    const health = await it.client.checkPlugin('jira');
    assert.equal(health.state, 'unhealthy');
    assert.equal(health.detail, wrong.message);
    assert.equal(await it.client.jobs().then(({ total }) => total), 0);
  }),
);

long(
  'without a tracker a ticket alone makes no job, and agents have no tools for one (TOOL-8)',
  story(
    {
      workflow: WORKFLOW,
      programs: { coder: "writeFileSync('seen.txt', refused('tracker_get_issue'));" },
    },
    async (it) => {
      const error = await refusedWith(() => create(it, { jiraTicketId: 'ABC-1' }));
      assert.equal(error.problem.errors, [
        {
          pointer: '/params/jiraTicketId',
          message:
            'No tracker is configured: add jira, linear or github-issues to plugins.installed.',
        },
      ]);
      const id = await it.job({ jiraTicketId: 'ABC-1' });
      const { params } = await it.until(id, (job) => job.ended);
      assert.match(
        readFileSync(join(String(params.repoCheckoutAbsDir), 'seen.txt'), 'utf8'),
        /^The tool tracker_get_issue does not exist/,
      );
    },
  ),
);

/** A tracker in a file, which knows what it has done: its processes end after each call. */
const BOARD = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const notFound = (key) => Object.assign(new Error('the board has no ' + key), { code: 'not-found' });
export default {
  kind: 'tracker',
  create({ config }) {
    const read = () => existsSync(config.file) ? JSON.parse(readFileSync(config.file, 'utf8')) : { status: 'open', comments: [] };
    const write = (board) => writeFileSync(config.file, JSON.stringify(board));
    const issue = async (key) => {
      if (key !== 'BOARD-7') throw notFound(key);
      return { key, title: 'From the board', body: 'Do it. Key: ' + config.key, status: read().status, url: 'http://board/7', labels: ['repo:repo'] };
    };
    return {
      issue,
      comments: async () => read().comments,
      search: async (text, limit) => [await issue('BOARD-7')].slice(0, limit),
      async comment(key, body, id) {
        const board = read();
        const known = board.comments.find((one) => one.id === id);
        const made = known ?? { id, author: 'svc', body, at: '2026-01-01T00:00:00.000Z' };
        if (!known) write({ ...board, comments: [...board.comments, made] });
        return made;
      },
      async transition(key, status) {
        write({ ...read(), status });
        return issue(key);
      },
    };
  },
};`;

long(
  'a tracker of an installed plugin serves jobs like one that is built in: ticket, tools, writes (CFG-2 TOOL-8)',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-board-'));
    const file = join(dir, 'board.json');
    const config = {
      plugins: { installed: { board: { config: { file, key: 'board-canary-key' } } } },
    };
    const coder = `
      const { issue } = tool('tracker_get_issue');
      tool('board_post_comment', { key: issue.key, body: issue.title + ' ' + issue.body });
      const fields = refused('tracker_transition_issue', { status: 'done', fields: { Reason: 'x' } });
      tool('tracker_transition_issue', { status: 'done' });
      tool('tracker_post_comment', { body: refused('board_get_issue', { key: 'BOARD-8' }) + '; ' + fields });`;
    const settings = {
      file: { type: 'string', description: 'Where.' },
      key: { type: 'string', secret: true, description: 'Key.' },
    };
    try {
      await story({ workflow: WORKFLOW, programs: { coder }, config }, async (it) => {
        const spec = writeFiles(join(dir, 'plugin'), {
          'package.json': formatPackageJson('board', {
            kind: 'tracker',
            capabilities: undefined,
            settings,
          }),
          'index.js': BOARD,
        });
        const plugin = await it.client.installPlugin({ spec });
        assert.equal(plugin.kind, 'tracker');
        assert.equal(plugin.health.state, 'healthy');
        const { jobId } = await create(it, { jiraTicketId: 'BOARD-7' });
        const endedJob = await it.until(jobId, (job) => job.ended);
        assert.equal(endedJob.status, 'complete');
        assert.equal(endedJob.params.trackerProvider, 'board');
        assert.equal(endedJob.params.repoSlug, 'repo');
        const board = JSON.parse(readFileSync(file, 'utf8'));
        assert.is(board.status, 'done');
        assert.equal(
          board.comments.map(({ body }: { body: string }) => body),
          [
            'From the board Do it. Key: [secret]',
            'board_get_issue: the board has no BOARD-8; transition_issue: board takes no fields with a new status: leave "fields" out. Nothing was changed.',
          ],
        );
        assert.not.match(
          JSON.stringify([endedJob, await it.client.journal(jobId), it.runner.said]),
          /canary/,
        );
      })();
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
);

test.run();
