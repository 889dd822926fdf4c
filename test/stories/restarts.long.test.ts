import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAgentConfig } from '../../demo/agents.ts';
import { Story, story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: restarts');
const long = longLane(test);

const TWO_PHASES = `
initial_phase: plan
initial_status: planning
phases:
  - { name: plan, agent: agents/planner.md, status: planning, interactive_checkpoint: true }
  - { name: work, agent: agents/worker.md, status: working }
`;

/**
 * Runs until the file \`go\` appears in the job's checkout, so that a test decides when a session
 * ends.
 */
const UNTIL_GO = `
console.log('session ' + session.visit + '.' + session.session + ' pid ' + process.pid);
tool('add_insight', { category: 'story', text: 'said once' });
while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
`;

const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

const startOn = (it: Story) =>
  spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../../cli/bin/run.js'), 'start', '--no-open', '--port', '0'],
    {
      encoding: 'utf8',
      env: { ...process.env, SVC_HOME: it.home },
    },
  );

test(
  'kill -9 in a session: the orphan is ended, the same visit runs again, tool calls happen once (RUN-4 JOB-3)',
  story({ workflow: ONE_PHASE, programs: { worker: UNTIL_GO } }, async (it) => {
    const id = await it.job();
    const before = await it.until(id, (job) => job.insights.length === 1);
    const lines = await it.firstLines(id, 'pid');
    const pid = Number(/pid (\d+)/.exec(lines)?.[1]);
    assert.ok(isAlive(pid));
    await it.runner.kill();
    assert.ok(isAlive(pid), 'the agent outlives the crash: it is an orphan');
    await it.runner.start();
    assert.not.ok(isAlive(pid), 'the orphan is ended at the start');
    it.write(join(String(before.params.repoCheckoutAbsDir), 'go'), '');
    const endedJob = await it.until(id, (job) => job.ended);
    assert.equal(endedJob.status, 'complete');
    assert.equal(
      endedJob.phases.map(({ phase, sessions }) => [phase, sessions]),
      [['work', 1]],
    );
    assert.equal(
      endedJob.insights.map(({ text }) => text),
      ['said once'],
    );
    assert.match(
      await it.firstLines(id, 'the runner restarted'),
      'the runner restarted during this session; the agent starts again, with a note',
    );
    const { restarts, sessions } = await it.client.timeline(id);
    assert.is(restarts.length, 1);
    assert.is(sessions.length, 1, 'the same session before and after it');
    const { lines: log } = await it.client.log(id);
    assert.equal(
      log.filter(({ tag }) => tag === 'restart').map(({ from, line }) => [from, line]),
      [['runner', 'runner restarted here']],
    );
    const mark = log.findIndex(({ tag }) => tag === 'restart');
    const pidLines = log.flatMap(({ line }, index) => (/ pid \d/.test(line) ? [index < mark] : []));
    assert.equal(
      pidLines,
      [true, false],
      'what was written before it and what was repeated after it',
    );
    const recovered = (await it.client.journal(id)).filter(
      ({ event }) => event.type === 'kernel.recovered',
    );
    assert.equal(
      recovered.map(({ event, note }) => [
        Reflect.get(event, 'effect'),
        Reflect.get(event, 'attempt'),
        Reflect.get(event, 'why'),
        note,
      ]),
      [['session.open', 1, 'progress since its last start', true]],
    );
  }),
);

test(
  'a graceful stop interrupts the session, keeps the job, and the next start continues without counting an attempt (RUN-6)',
  story(
    {
      workflow: ONE_PHASE,
      programs: { worker: UNTIL_GO },
      config: { runner: { stopGraceSeconds: 1 } },
    },
    async (it) => {
      const id = await it.job();
      const working = await it.until(id, (job) => job.insights.length === 1);
      await it.runner.stop();
      await it.runner.start();
      const again = await it.client.job(id);
      assert.equal(again.status, 'working');
      assert.equal(again.state, ['working.inSession']);
      assert.equal(again.escalationMessage, null);
      it.write(join(String(working.params.repoCheckoutAbsDir), 'go'), '');
      assert.is((await it.until(id, (job) => job.ended)).status, 'complete');
    },
  ),
);

long(
  'parked jobs stay parked over a crash, and what was shown is still what is approved (RUN-4 JOB-5)',
  story(
    {
      workflow: TWO_PHASES,
      programs: {
        planner:
          "tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# Plan ' + session.visit });",
        worker: "console.log('working')",
      },
    },
    async (it) => {
      const id = await it.job();
      const parked = await it.until(id, (job) => job.parked?.kind === 'approval');
      await it.runner.kill();
      await it.runner.start();
      const after = await it.client.job(id);
      assert.equal(after.parked, parked.parked);
      assert.equal(after.approval, parked.approval);
      assert.equal(after.journalLength, parked.journalLength);

      await it.client.message(id, { message: 'smaller, please' });
      const replanned = await it.until(
        id,
        (job) => job.parked?.kind === 'approval' && job.visit > parked.visit,
      );
      assert.equal(
        replanned.phases.map(({ phase, approvedBy }) => [phase, approvedBy]),
        [
          ['plan', null],
          ['plan', null],
        ],
        'a message is never an approval',
      );
      const refused = await it.client
        .resume(id, { eventKey: 'approve', shown: String(parked.approval?.shown) })
        .catch((error) => error);
      assert.equal(refused.status, 409);
      assert.equal(refused.code, 'not-possible-now');
      assert.equal(refused.problem.shown, replanned.approval?.shown);
      const unnamed = await it.client
        .resume(id, { eventKey: 'manual-resume' })
        .catch((error) => error);
      assert.equal(unnamed.status, 409);
      assert.equal(unnamed.code, 'shown-required');
      assert.equal(unnamed.problem.shown, replanned.approval?.shown);
      const past = await it.client.rerun(id, 'work').catch((error) => error);
      assert.equal(past.status, 409);
      assert.match(past.message, /phase plan .* approve phase plan first/iu);
      await it.client.resume(id, { eventKey: 'approve', shown: String(replanned.approval?.shown) });
      const endedJob = await it.until(id, (job) => job.ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(
        endedJob.phases.map(({ approvedBy }) => approvedBy),
        [null, 'token', null],
      );
    },
  ),
);

test('a second runner on the same home reports who has it, and the first continues (RUN-5)', async () => {
  const it = new Story({ workflow: ONE_PHASE, programs: { worker: "console.log('x')" } });
  try {
    await it.runner.start();
    const second = startOn(it);
    assert.is(second.status, 1);
    assert.match(second.stderr, /pid \d+/);
    assert.is((await it.client.health()).status, 'ok');
    await it.runner.kill();
    await it.runner.start();
    assert.is(
      (await it.client.health()).status,
      'ok',
      'the lock of a killed runner blocks no start',
    );
  } finally {
    await it.end();
  }
});

test(
  'a job without progress is parked for a developer after five crashes, not failed (RUN-4)',
  story({ workflow: ONE_PHASE, programs: { worker: 'await waitForEver();' } }, async (it) => {
    const id = await it.job();
    await it.until(id, (job) => job.state.includes('working.inSession'));
    for (let crash = 1; crash <= 5; crash++) {
      await it.runner.kill();
      await it.runner.start();
    }
    const parked = await it.until(id, (job) => job.parked !== null);
    assert.is(parked.parked?.kind, 'developer');
    assert.match(parked.parked?.reason ?? '', /session\.open/);
  }),
);

long(
  'jobs work in folders of their own, beside their overlay until they end (RUN-3)',
  story(
    {
      workflow: ONE_PHASE,
      programs: {
        worker:
          "writeFileSync('mine.txt', session.jobId); readFileSync('../_intelligence/workflows/story.md');",
      },
    },
    async (it) => {
      const ids = [await it.job(), await it.job()];
      for (const id of ids) {
        const job = await it.until(id, ({ ended }) => ended);
        assert.is(
          readFileSync(join(String(job.params.repoCheckoutAbsDir), 'mine.txt'), 'utf8'),
          id,
        );
        assert.is(job.params.repoCheckoutAbsDir, join(it.home, 'work', id, 'repo'));
      }
      await it.runner.stop();
      for (const id of ids)
        assert.not.ok(
          existsSync(join(it.home, 'work', id, '_intelligence')),
          'it is kept after the end',
        );
    },
  ),
);

/** Stands for the Claude Agent SDK: it leaves a file when it is loaded. */
const LOADED_SDK = `
import { writeFileSync } from 'node:fs';
writeFileSync(new URL('loaded', import.meta.url), '');
`;

long(
  'a package beside svc is loaded at a second start too, whose code comes out of the cache',
  async () => {
    const sdkDir = mkdtempSync(join(tmpdir(), 'svc-sdk-'));
    const folder = join(sdkDir, 'node_modules', '@anthropic-ai', 'claude-agent-sdk');
    const it = new Story({
      workflow: ONE_PHASE,
      programs: {},
      tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\nYou work.\n' },
      config: { ...buildAgentConfig('claude', { model: 'http://127.0.0.1:9', program: sdkDir }) },
    });
    it.write(join(folder, 'package.json'), '{ "main": "sdk.mjs" }');
    it.write(join(folder, 'sdk.mjs'), LOADED_SDK);
    try {
      await it.runner.start();
      await it.runner.stop();
      assert.is(existsSync(join(it.home, 'cache', 'start.code')), true);
      await it.runner.start();
      const id = await it.job();
      await it.until(id, ({ parked, ended }) => parked !== null || ended);
      assert.is(existsSync(join(folder, 'loaded')), true);
    } finally {
      await it.end();
      rmSync(sdkDir, { recursive: true });
    }
  },
);

test.run();
