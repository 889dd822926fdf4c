import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { markdownToAdf } from '../../src/providers/jira/adf/markdownToAdf.ts';
import { FakeJira } from '../support/forges/fakeTrackers/fakeJira.ts';
import { FakeLinear } from '../support/forges/fakeTrackers/fakeLinear.ts';
import { story } from '../support/story.ts';

const test = suite('stories: setbacks at trackers');

const TOKEN = 'token-of-the-tracker';

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
createParams: { required: [repo], optional: [] }
`;

/** Comments on its ticket. A refused call ends it with an exit code of its own, after a report. */
const CODER = `
const failed = refused('tracker_post_comment', { body: 'I begin.' });
if (failed !== '') {
  tool('log', { message: 'no comment' });
  throw new Error('no comment');
}
`;

const jira = new FakeJira(3);
const linear = new FakeLinear();

for (const { id, fake, key, body, settings } of [
  {
    id: 'jira',
    fake: jira,
    key: 'ABC-1',
    body: (text: string): unknown => markdownToAdf(text),
    settings: { username: 'svc@example.test', token: TOKEN },
  },
  {
    id: 'linear',
    fake: linear,
    key: 'ENG-1',
    body: (text: string): unknown => text,
    settings: { apiKey: TOKEN },
  },
])
  test(`a ticket of ${id} that refuses a comment parks its job, a limit is waited for, and the comment is written once`, async () => {
    const { store } = fake;
    store.addUser(TOKEN, 'svc');
    const issue = store.addIssue(key, 'Add a note', body('The shop needs a note.'));
    await fake.start();
    const user = store.users.get(TOKEN);
    if (!user) throw new Error('there is no account');
    const config = {
      plugins: {
        installed: { [id]: { config: { baseUrl: fake.url, ...settings } } },
      },
    };
    const isSettled = (job: Job) => job.ended || job.parked !== null;
    /** What goes wrong, and how it is repaired, in order. */
    const setbacks: [what: string, begin: () => void, repair: () => void][] = [
      ['login', () => void store.users.delete(TOKEN), () => void store.users.set(TOKEN, user)],
      [
        'permission',
        () => void store.users.set(TOKEN, { ...user, canWrite: false }),
        () => void store.users.set(TOKEN, user),
      ],
      ['gone', () => void store.issues.delete(key), () => void store.issues.set(key, issue)],
    ];
    try {
      await story({ workflow: WORKFLOW, programs: { coder: CODER }, config }, async (it) => {
        const [first] = setbacks;
        const job = await it.job({ jiraTicketId: key, trackerProvider: id });
        first?.[1]();
        const outcomes: unknown[] = [];
        for (const [at, [what, , repair]] of setbacks.entries()) {
          const now = await it.until(job, isSettled);
          outcomes.push([what, now.ended ? now.status : now.parked?.kind]);
          repair();
          setbacks[at + 1]?.[1]();
          if (at === setbacks.length - 1) store.left = 0;
          await it.client.resume(job, {});
          await it.settled(async () => (await it.client.job(job)).parked === null);
        }
        assert.equal(
          outcomes,
          setbacks.map(([what]) => [what, 'developer']),
        );
        const settledJob = await it.until(job, isSettled);
        assert.is(settledJob.status, 'complete');
        assert.is(issue.comments.length, 1);
      })();
    } finally {
      await fake.stop();
    }
  });

test.run();
