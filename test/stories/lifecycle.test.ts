import { rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: lifecycle');
const long = longLane(test);

const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

const AWAITING = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }
`;

const OPEN_PR = `
if (git('branch', '--list', 'change') === '') git('switch', '-q', '-c', 'change');
writeFileSync('note.txt', kickoff);
git('add', '--all');
git('commit', '-q', '--allow-empty', '-m', 'change ' + session.visit);
const pr = tool('local_create_pr', { head: 'change', title: 'A change' });
tool('await_event', { prId: pr.prId });
`;

test(
  'a job parks on await_event without a session and any mapped PR event wakes it (JOB-3 JOB-6 EVT-1 EVT-4)',
  story(
    { workflow: AWAITING, programs: { coder: OPEN_PR, tester: "console.log('tested')" } },
    async (it) => {
      const id = await it.job();
      const parked = await it.until(id, (job) => job.parked?.kind === 'event');
      assert.equal(parked.status, 'awaiting-pr-merge');
      assert.equal(parked.phase, 'awaiting-merge');
      assert.equal(parked.prMappings.length, 1);
      await it.client.commentPullRequest('repo', 1, { author: 'ann', body: 'please add a note' });
      const again = await it.until(
        id,
        (job) => job.parked?.kind === 'event' && job.visit > parked.visit,
      );
      assert.is(again.phases.filter(({ phase }) => phase === 'coding').length, 2);
      await it.client.mergePullRequest('repo', 1, { author: 'ann' });
      const endedJob = await it.until(id, (job) => job.ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(
        endedJob.prMappings.map(({ state }) => state),
        ['merged'],
      );
      assert.ok(endedJob.prMappings[0]?.mergedAt);
    },
  ),
);

long(
  'pause ends the session and frees the slot; resume runs the same visit again (JOB-9)',
  story(
    {
      workflow: ONE_PHASE,
      programs: {
        worker:
          "if (session.session === 1) { console.log('waiting'); await waitForEver(); } console.log('second session');",
      },
      config: { runner: { stopGraceSeconds: 1 } },
    },
    async (it) => {
      const id = await it.job();
      await it.until(id, (job) => job.state.includes('working.inSession'));
      await it.client.pause(id);
      const paused = await it.until(id, (job) => job.parked?.kind === 'paused');
      assert.equal(paused.status, 'working');
      assert.equal(paused.state, ['parked.paused']);
      await it.client.resume(id, { eventKey: 'manual-resume' });
      const endedJob = await it.until(id, (job) => job.ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(
        endedJob.phases.map(({ phase, sessions }) => [phase, sessions]),
        [['work', 2]],
      );
    },
  ),
);

long(
  'cancel of a running job ends its processes and its reason is in the log (JOB-9)',
  story(
    {
      workflow: ONE_PHASE,
      programs: { worker: 'await waitForEver();' },
      config: { runner: { stopGraceSeconds: 1 } },
    },
    async (it) => {
      const id = await it.job();
      await it.until(id, (job) => job.state.includes('working.inSession'));
      await it.client.cancel(id, { reason: 'not needed any more' });
      const endedJob = await it.until(id, (job) => job.ended);
      assert.is(endedJob.status, 'cancelled');
      assert.ok((await it.log(id)).some((line) => line.includes('not needed any more')));
    },
  ),
);

test(
  'the completion gate blocks five times, says why in the log, and fails the job with the open items (JOB-7)',
  story(
    {
      workflow: ONE_PHASE,
      programs: {
        worker: "tool('set_work_items', { items: [{ id: 'left-open', title: 'Never done' }] });",
      },
    },
    async (it) => {
      const id = await it.job();
      const endedJob = await it.until(id, (job) => job.ended);
      assert.equal(endedJob.status, 'failed');
      assert.equal(endedJob.phases.length, 5);
      assert.match(endedJob.escalationMessage ?? '', /left-open/);
      assert.is(
        (await it.log(id)).filter((line) => line.startsWith('[completion-gate]')).length,
        5,
      );
    },
  ),
);

long(
  'a failed agent fails the job with its last words, and resume runs the phase again (JOB-9)',
  story(
    {
      workflow: ONE_PHASE,
      programs: {
        worker:
          "if (session.visit === 1) { console.error('the disk is on fire'); process.exit(3); }",
      },
    },
    async (it) => {
      const id = await it.job();
      const failed = await it.until(id, (job) => job.ended);
      assert.is(failed.status, 'failed');
      assert.match(failed.escalationMessage ?? '', /the disk is on fire/);
      assert.match((await it.client.why(id)).reason ?? '', /the disk is on fire/);
      await it.client.resume(id, { eventKey: 'manual-resume' });
      const endedJob = await it.until(id, (job) => job.status === 'complete');
      assert.match(endedJob.escalationHistory.join(), /the disk is on fire/);
    },
  ),
);

long(
  'a message to a working job reaches the next session before the job may complete (EVT-5)',
  story(
    {
      workflow: ONE_PHASE,
      programs: {
        worker:
          "if (kickoff.includes('use tabs')) console.log('I received: use tabs'); else while (!existsSync('go')) await new Promise((r) => setTimeout(r, 20));",
      },
    },
    async (it) => {
      const id = await it.job();
      const working = await it.until(id, (job) => job.state.includes('working.inSession'));
      const reply = await it.client.message(id, { message: 'use tabs' });
      assert.is(reply.receipt?.state, 'queued');
      const { writeFileSync } = await import('node:fs');
      writeFileSync(`${working.params.repoCheckoutAbsDir}/go`, '');
      await it.until(id, (job) => job.ended);
      assert.ok((await it.log(id)).some((line) => line.includes('I received: use tabs')));
    },
  ),
);

long(
  'messages that have piled up are given in batches, each message to one session, and listed in pages (EVT-1 JOB-9)',
  story(
    {
      workflow: ONE_PHASE,
      programs: {
        worker: `
console.log('begun');
if (session.visit === 1) while (!existsSync('../../../enough')) await new Promise((resolve) => setTimeout(resolve, 10));
console.log('given: ' + [...kickoff.matchAll(/^message (\\d+)$/gm)].map(([, n]) => n).join(' '));
`,
      },
    },
    async (it) => {
      const id = await it.job();
      await it.firstLines(id, 'begun');
      const numbers = Array.from({ length: 230 }, (_, index) => index);
      for (const n of numbers) await it.client.message(id, { message: `message ${n}` });
      it.write(`${it.home}/enough`, '');
      await it.until(id, (job) => job.ended);
      const batches = (await it.log(id))
        .filter((line) => line.startsWith('given: '))
        .map((line) => line.slice(7));
      assert.equal(batches, [
        '',
        numbers.slice(0, 100).join(' '),
        numbers.slice(100, 200).join(' '),
        numbers.slice(200).join(' '),
      ]);
      const { messages, total } = await it.client.messages(id, { limit: 20, offset: 10 });
      assert.equal(total, 230);
      assert.equal(messages.length, 20);
      assert.equal(messages[0]?.text, 'message 200');
      assert.equal(messages[0]?.state, 'acknowledged');
    },
  ),
);

long(
  'a checkout that vanishes while the job waits parks it for a developer with the path; resumed it continues in a fresh clone (RUN-3)',
  story(
    {
      workflow: `
initial_phase: one
initial_status: one
phases:
  - { name: one, agent: agents/first.md, status: one, interactive_checkpoint: true }
  - { name: two, agent: agents/second.md, status: two }
`,
      programs: {
        first: "git('switch', '-q', '-c', 'work');",
        second: "console.log('branches ' + git('branch', '--list', 'work'));",
      },
    },
    async (it) => {
      const id = await it.job();
      const waiting = await it.until(id, (job) => job.parked?.kind === 'approval');
      const checkout = String(waiting.params.repoCheckoutAbsDir);
      rmSync(checkout, { recursive: true });
      await it.client.resume(id, { eventKey: 'approve' });
      const parked = await it.until(id, (job) => job.parked?.kind === 'developer');
      assert.match(
        parked.parked?.reason ?? '',
        `${checkout} is gone. Commits that were not pushed`,
      );
      await it.client.resume(id, { eventKey: 'manual-resume' });
      await it.until(id, (job) => job.ended);
      const log = await it.log(id);
      assert.ok(
        log.some((line) =>
          line.startsWith(`[workspace] the checkout ${checkout} is still missing`),
        ),
      );
      assert.ok(log.includes('branches '));
    },
  ),
);

test.run();
