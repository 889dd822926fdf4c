import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: work by hand');

const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

/** The first session leaves a file and waits; the next one prints its kickoff. */
const WORKER = `
writeFileSync('draft.txt', 'of the agent\\n');
if (!existsSync('by-hand.txt')) await waitForEver();
console.log(JSON.stringify(kickoff));
`;

test(
  'a person works in the checkout of a paused job; its agent gets their changes and their reason',
  story({ workflow: ONE_PHASE, programs: { worker: WORKER } }, async (it) => {
    const id = await it.job();
    const { params } = await it.until(id, (job) => job.state.includes('working.inSession'));
    const checkout = String(params.repoCheckoutAbsDir);
    await it.settled(async () => (await it.client.job(id)).state.includes('working.inSession'));

    const printed = await it.runner.command(
      'checkout',
      id,
      '--print',
      '--reason',
      'a lock is missing',
    );
    assert.is(printed.trim(), checkout);
    assert.ok((await it.client.job(id)).state.includes('parked.paused'));

    writeFileSync(join(checkout, 'by-hand.txt'), 'a line of a person\n');
    appendFileSync(join(checkout, 'README.md'), 'More.\n');
    rmSync(join(checkout, 'draft.txt'), { force: true });
    await it.runner.command('resume', id, '--no-stream');
    await it.until(id, ({ ended }) => ended);

    const messages = (await it.client.messages(id)).messages.map(({ text }) => text).join('\n');
    assert.match(messages, 'The reason: a lock is missing');
    assert.match(messages, '+a line of a person');
    assert.match(messages, '+More.');
    assert.ok((await it.log(id)).join('\n').includes('a line of a person'));
  }),
);

test.run();
