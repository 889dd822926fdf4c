import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore, type OpenStore } from '../../src/jobs/store/openStore.ts';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: the log of a job that was archived');

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
`;

/** More lines than a page has, colours and a gate among them. */
const CODER = `
for (let n = 1; n <= 700; n++) console.log(n % 50 === 0 ? '\\u001b[31merror ' + n + '\\u001b[0m' : 'line ' + n + ' ünïcode');
tool('log', { tag: 'found', message: existsSync('left.txt') ? 'what was left' : 'a fresh checkout' });
writeFileSync('left.txt', 'left');
`;

/** The stream after the frame that Last-Event-ID names. */
const RESUMED = '/stream?';

/** Everything that says what a job has done, as it is sent. */
async function answers(it: Story, job: string): Promise<Record<string, string>> {
  const get = async (path: string) => {
    const response = await fetch(`${it.runner.url}/jobs/${job}${path}`, {
      headers: {
        authorization: `Bearer ${it.runner.token}`,
        ...(path === RESUMED && { 'last-event-id': '300' }),
      },
    });
    // The timeline begins with the time at which it was asked for.
    return `${response.status} ${(await response.text()).replace(/^\{"at":"[^"]*"/, '{')}`;
  };
  const paths = [
    '/stream',
    RESUMED,
    '/log',
    '/log?from=200&limit=300',
    '/log.txt',
    '/log/search?q=error',
    '/journal?limit=1000',
    '/why',
    '/timeline',
    '',
  ];
  const replies = await Promise.all(paths.map(async (path) => [path, await get(path)] as const));
  return {
    ...Object.fromEntries(replies),
    'svc logs': await it.runner.command('logs', job, '--no-follow'),
    'svc logs --json': await it.runner.command('logs', job, '--no-follow', '--json'),
    'svc logs --tail': await it.runner.command('logs', job, '--tail', '5', '--no-follow'),
  };
}

/** What is done to the store while no runner has it. */
async function between(it: Story, act: (store: OpenStore) => Promise<unknown>): Promise<void> {
  await it.runner.stop();
  const store = openStore({ file: join(it.home, 'state.db'), pid: process.pid, now: 0 });
  await act(store);
  store.close();
  await it.runner.start();
}

test(
  'the commands, the routes and the stream give the same bytes; the job can be run again, and is archived again',
  story({ workflow: WORKFLOW, programs: { coder: CODER } }, async (it) => {
    const job = await it.job();
    await it.until(job, ({ ended }) => ended);
    const before = await answers(it, job);
    for (const [what, text] of Object.entries(before))
      assert.match(text, what.startsWith('svc') ? /line 699|700/ : /^200 /, what);
    await between(it, ({ archiver }) => archiver.archive(job));
    assert.equal(readdirSync(join(it.home, 'archive')), [`${job}.1.ndjson.gz`]);
    assert.equal(await answers(it, job), before);

    await it.client.rerun(job, 'coding');
    await it.until(job, ({ ended, visit }) => ended && visit > 1);
    const again = await answers(it, job);
    assert.ok(again['svc logs']?.startsWith(before['svc logs'] ?? '?'), 'it continues');
    await between(it, ({ archiver }) => archiver.archive(job));
    assert.equal(await answers(it, job), again);
  }),
);

test(
  'a job whose archive was removed has a line with the date in its log, and can be run again',
  story({ workflow: WORKFLOW, programs: { coder: CODER } }, async (it) => {
    const job = await it.job();
    await it.until(job, ({ ended }) => ended);
    const { at: _, ...timeline } = await it.client.timeline(job);
    await between(it, async ({ archiver }) => {
      await archiver.archive(job);
      await archiver.remove(job);
    });
    assert.ok(existsSync(join(it.home, 'archive')));
    assert.match(
      await it.runner.command('logs', job, '--no-follow'),
      /The log up to here, of frames 1 to \d+, was removed by retention at 1970-01-01/,
    );
    const { at: __, ...now } = await it.client.timeline(job);
    assert.equal(now, timeline);
    rmSync(join(it.home, 'work', job), { recursive: true });
    await it.client.rerun(job, 'coding');
    await it.until(job, ({ ended, visit }) => ended && visit > 1);
    assert.equal(
      (await it.log(job)).filter((line) => line.startsWith('[found]')),
      ['[found] a fresh checkout'],
    );
  }),
);

test.run();
