import { cpSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../src/api/client/client.ts';
import { RunnerProcess } from '../../demo/runnerProcess.ts';
import { type Story, story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: a home is backed up, restored elsewhere, moved');
const long = longLane(test);

const BIN = join(import.meta.dirname, '..', '..', 'cli', 'bin', 'run.js');

/** The agent leaves work that is not committed, then waits until it may end. */
const STORY = {
  workflow: `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`,
  programs: {
    worker: `
writeFileSync('draft.txt', 'not committed');
tool('add_insight', { category: 'codebase', text: 'at ' + process.cwd() });
while (!existsSync('go')) await new Promise((r) => setTimeout(r, 20));`,
  },
};

const inSession = async (it: Story, id: string): Promise<void> => {
  await it.until(id, ({ insights }) => insights.length > 0);
};

test(
  'backed up in mid-session and restored elsewhere, a job completes there with its work; the old home is left as it was (RUN-6)',
  story(STORY, async (it) => {
    const id = await it.job();
    await inSession(it, id);
    const file = join(it.dir, 'home.tar.gz');
    assert.match(await it.runner.command('backup', file), /1 job\(s\), 1 not ended/);

    const home = join(it.dir, 'elsewhere');
    assert.match(
      await it.runner.command('restore', file, '--home', home),
      /Do not start both: two runners would continue the same jobs\./,
    );
    const restored = new RunnerProcess(home, BIN);
    const { message } = await restored.start().then(
      () => ({ message: 'it started' }),
      (error: Error) => error,
    );
    assert.match(
      message,
      `${home} was restored from a backup of ${it.home}, whose runner is running`,
    );
    await it.runner.stop();
    await restored.start();
    try {
      const client = createClient({ baseUrl: restored.url, token: restored.token });
      const { params, visit } = await client.job(id);
      const checkout = String(params.repoCheckoutAbsDir);
      assert.ok(checkout.startsWith(join(home, 'work', id)), checkout);
      assert.is(visit, 1);
      assert.is(existsSync(join(checkout, 'draft.txt')), true);
      it.write(join(checkout, 'go'), '');
      await it.settled(async () => (await client.job(id)).status === 'complete');
    } finally {
      await restored.stop();
    }
    assert.is(existsSync(join(it.home, 'work', id, 'repo', 'go')), false);
  }),
);

long(
  'a home that was moved continues its jobs at its new place; a copy of one is refused (RUN-6)',
  story(STORY, async (it) => {
    const id = await it.job();
    await inSession(it, id);
    await it.runner.stop();

    const copy = join(it.dir, 'copy');
    cpSync(it.home, copy, { recursive: true });
    const copied = new RunnerProcess(copy, BIN);
    const { message } = await copied.start().then(
      () => ({ message: 'it started' }),
      (error: Error) => error,
    );
    await copied.stop();
    assert.match(message, `${copy} is a copy of the home ${it.home}, which still exists`);

    const place = join(it.dir, 'moved');
    renameSync(it.home, place);
    const moved = new RunnerProcess(place, BIN);
    await moved.start();
    try {
      const client = createClient({ baseUrl: moved.url, token: moved.token });
      await it.settled(async () => (await client.job(id)).insights.length === 2);
      const [, second] = (await client.job(id)).insights;
      const checkout = join(place, 'work', id, 'repo');
      assert.is(second?.text, `at ${checkout}`);
      it.write(join(checkout, 'go'), '');
      await it.settled(async () => (await client.job(id)).status === 'complete');
    } finally {
      await moved.stop();
    }
    assert.is(existsSync(it.home), false);
  }),
);

long(
  'a backup is refused during another one; what is no longer read ends (HTTP-1)',
  story(STORY, async (it) => {
    const first = await it.client.backup();
    const reader = first.getReader();
    await reader.read();
    const second = await it.client.backup().catch((error: unknown) => error);
    assert.match(String(second), 'A backup is already running; wait until it has finished.');
    await reader.cancel();
    await it.settled(async () =>
      it.client.gc().then(
        () => true,
        () => false,
      ),
    );
  }),
);

test.run();
