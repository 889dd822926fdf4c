import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: a job that loops without progress');

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
  'it is warned at the second loop and parked at the third, over a kill -9; a message brings it to its end (JOB-16)',
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
      lines.some((line) =>
        line.startsWith('[no-progress] warned: the job has repeated these phases 2 times'),
      ),
    );
    assert.ok(lines.includes('was warned'));
  }),
);

const GROWS = `
git('switch', '-q', '-C', 'work');
writeFileSync('grow.txt', String(process.hrtime.bigint()));
git('add', '--all');
git('commit', '-q', '-m', 'grow');
`;

/** Fails one test, then another, in turn, in the words of pytest. */
const TESTER = `
const n = Number(git('rev-list', '--count', 'HEAD'));
const name = n % 2 === 0 ? 'test_a' : 'test_b';
console.log('FAILED tests/test_x.py::' + name + ' - AssertionError: boom');
console.log('1 failed, 3 passed in 0.12s');
tool('goto_phase', { phase: 'coding', reason: 'tests fail' });
`;

test(
  'a program that fails two tests in turn is warned and parked, although its files grow (JOB-16)',
  story({ workflow: LOOP, programs: { coder: GROWS, reviewer: TESTER } }, async (it) => {
    const id = await it.job();
    const job = await it.until(id, ({ parked }) => parked !== null);
    assert.is(job.parked?.kind, 'developer');
    assert.is(job.parked?.circle?.rule, 'tests');
    assert.is(job.parked?.circle?.times, 4);
  }),
);

test.run();
