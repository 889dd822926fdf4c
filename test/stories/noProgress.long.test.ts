import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: a job that goes round without progress');

const LOOP = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: review, agent: agents/reviewer.md, status: review }
  - { name: done, agent: null, status: done }
`;

const CODER = `
if (kickoff.includes('[process note] No progress')) console.log('was warned');
if (kickoff.includes('write the file')) writeFileSync('note.txt', 'done');
`;

const REVIEWER = `
if (!existsSync('note.txt')) tool('goto_phase', { phase: 'coding', reason: 'the file is missing' });
`;

test(
  'it is warned at the second lap and parked at the third, over a kill -9; a message brings it to its end (JOB-16)',
  story({ workflow: LOOP, programs: { coder: CODER, reviewer: REVIEWER } }, async (it) => {
    const id = await it.job();
    await it.until(id, ({ visit }) => visit >= 3);
    await it.runner.kill();
    await it.runner.start();
    const job = await it.until(id, ({ parked }) => parked !== null);
    assert.is(job.parked?.kind, 'developer');
    assert.equal(job.parked?.circle, { rule: 'state', times: 3, phases: ['review', 'coding'] });
    assert.is(job.visit, 5);
    await it.client.message(id, { message: 'please write the file' });
    const over = await it.until(id, ({ ended }) => ended);
    assert.is(over.status, 'complete');
    const lines = await it.log(id);
    assert.ok(
      lines.some((line) => line.startsWith('[no-progress] warned: the job has gone round 2 times')),
    );
    assert.ok(lines.includes('was warned'));
  }),
);

test.run();
