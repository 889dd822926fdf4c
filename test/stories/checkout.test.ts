import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: a checkout that builds');

const WORKFLOW = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

/** The first session says what it finds of the setup, leaves a file and waits; the next one prints its kickoff. */
const WORKER = `
if (existsSync('by-hand.txt')) console.log(JSON.stringify(kickoff));
else {
  console.log('built: ' + readFileSync('built.txt', 'utf8').trim().replaceAll('\\n', ','));
  console.log('ports: ' + process.env.SVC_PORT_COUNT + ' from ' + process.env.SVC_PORT);
  writeFileSync('draft.txt', 'of the agent\\n');
  await waitForEver();
}
`;

const SETUP = `
echo "sets up with $SVC_PORT"
test -e ../allowed
echo "$SVC_PORT" >> built.txt
echo kept >> "$HOME/.tool-cache/file"
`;

test(
  'a setup that fails parks the job and runs again when it is resumed; a person works in the checkout, and the agent gets their changes and their reason',
  story(
    {
      workflow: WORKFLOW,
      programs: { worker: WORKER },
      config: {
        runner: { stopGraceSeconds: 0 },
        checkout: {
          ports: { first: 23_000, last: 23_999, perCheckout: 4 },
          repositories: [{ repo: 'repo', setup: SETUP, caches: ['.tool-cache'] }],
        },
      },
    },
    async (it) => {
      const id = await it.job();
      const parked = await it.until(id, (job) => job.parked !== null || job.ended);
      assert.is(parked.parked?.kind, 'developer', JSON.stringify(parked));
      assert.match(
        parked.parked?.reason ?? '',
        /setup of the checkout failed: it ended with exit code 1\. Its last lines:\nsets up with 23\d\d\d/,
      );

      it.write(join(it.home, 'work', id, 'allowed'), '');
      await it.client.resume(id);
      const { params } = await it.until(id, (job) => job.state.includes('working.inSession'));
      const checkout = String(params.repoCheckoutAbsDir);
      await it.settled(async () => existsSync(join(checkout, 'draft.txt')));

      const reason = ['--reason', 'a lock is missing'];
      const printed = await it.runner.command('checkout', id, '--print', ...reason);
      assert.is(printed.trim(), checkout);
      assert.ok((await it.client.job(id)).state.includes('parked.paused'));
      writeFileSync(join(checkout, 'by-hand.txt'), 'a line of a person\n');
      appendFileSync(join(checkout, 'README.md'), 'More.\n');
      rmSync(join(checkout, 'draft.txt'));
      await it.runner.command('resume', id, '--no-stream');

      const endedJob = await it.until(id, ({ ended }) => ended);
      const { messages } = await it.client.messages(id);
      const text = messages.map((message) => message.text).join('\n');
      assert.match(text, 'The reason: a lock is missing');
      assert.match(text, '+a line of a person');
      assert.match(text, '+More.');
      const log = await it.log(id);
      assert.is(endedJob.status, 'complete', log.join('\n'));
      const port = log.find((line) => line.startsWith('ports: '))?.replace('ports: 4 from ', '');
      assert.ok(log.includes(`built: ${port}`), log.join('\n'));
      assert.ok(log.join('\n').includes('a line of a person'));
      assert.is(log.filter((line) => line === `[setup] sets up with ${port}`).length, 2);

      const cache = join(it.home, 'caches', 'repo', '.tool-cache', 'file');
      assert.is(readFileSync(cache, 'utf8'), 'kept\n');
      assert.ok(existsSync(join(it.home, 'work', id, 'home', '.tool-cache', 'file')));
    },
  ),
);

test.run();
