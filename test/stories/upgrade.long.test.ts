import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { followJob } from '../../src/api/client/stream.ts';
import { readRunnerInfo } from '../../src/host/config/home/runnerInfo.ts';
import { inspectStore } from '../../src/kernel/sqlite/inspectStore.ts';
import { otherBuild } from '../support/upgrade/otherBuild.ts';
import { type Story, story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: another program takes over');
const long = longLane(test);

const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

const UNTIL_GO = `
console.log('began ' + session.visit + '.' + session.session + ' in ' + process.pid);
tool('add_insight', { category: 'story', text: 'said once' });
while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
`;

/** What \`svc …\` of a program printed, and its exit code. */
async function svc(it: Story, root: string, ...args: string[]) {
  const env = { ...process.env, SVC_HOME: it.home, NO_COLOR: '1' };
  const script = join(root, 'cli/bin/run.js');
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], {
      env,
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = Object(error);
    return { code: Number(code), out: String(stdout), err: String(stderr) };
  }
}

/** Asks the port again and again until stopped; the longest time without an answer, ms. */
function watchPort(url: string): { stop(): Promise<number> } {
  let longest = 0;
  let answeredAt = performance.now();
  let going = true;
  const look = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const end = () => {
        socket.destroy();
        resolve();
      };
      socket.once('connect', () => {
        const now = performance.now();
        longest = Math.max(longest, now - answeredAt);
        answeredAt = now;
        end();
      });
      socket.once('error', end);
    });
  const watched = (async () => {
    while (going) await look();
  })();
  return {
    async stop() {
      going = false;
      await watched;
      return longest;
    },
  };
}

const runnerPid = async (it: Story) => (await readRunnerInfo(it.home))?.pid ?? 0;

test(
  'a newer release takes over in the middle of a session: port, streams and visit continue (RUN-4 RUN-6 CLI-2)',
  story({ workflow: ONE_PHASE, programs: { worker: UNTIL_GO } }, async (it) => {
    const newer = otherBuild(it.dir, '0.9.1');
    const older = otherBuild(it.dir, '0.9.0');
    assert.is((await svc(it, older, 'upgrade')).code, 0);
    const id = await it.job();
    const working = await it.until(id, (job) => job.insights.length === 1);
    await it.firstLines(id, 'began 1.1');
    const reader = new AbortController();
    const frames: number[] = [];
    const followed = followJob({
      client: it.client,
      jobId: id,
      after: 0,
      signal: reader.signal,
      onFrame: ({ n }) => frames.push(n),
    });
    const before = await runnerPid(it);
    const port = watchPort(it.runner.url);

    const { code, out, err } = await svc(it, newer, 'upgrade');
    assert.is(code, 0, err);
    assert.match(out, /^svc 0\.9\.1 \(build \w+\) runs at http.*, instead of svc 0\.9\.0/);
    assert.is.not(await runnerPid(it), before);
    assert.is((await it.client.health()).version, '0.9.1');
    await it.until(id, (job) => job.phases[0]?.sessions === 1 && job.status === 'working');
    await it.settled(async () =>
      (await it.client.journal(id)).some(({ event }) => event.type === 'kernel.recovered'),
    );
    const away = await port.stop();
    assert.ok(away < 2_000, `the port was away for ${Math.round(away)} ms`);

    const [recovered] = (await it.client.journal(id)).filter(
      ({ event }) => event.type === 'kernel.recovered',
    );
    assert.is(Reflect.get(recovered?.event ?? {}, 'attempt'), 1, 'no attempt was counted');
    it.write(join(String(working.params.repoCheckoutAbsDir), 'go'), '');
    const endedJob = await it.until(id, (job) => job.ended);
    assert.is(endedJob.status, 'complete');
    assert.equal(
      endedJob.phases.map(({ phase, sessions }) => [phase, sessions]),
      [['work', 1]],
    );
    assert.is((await followed).ended, true);
    assert.equal(
      frames,
      frames.map((_, index) => index + 1),
      'the stream has every frame once',
    );

    assert.ok(existsSync(join(it.home, 'state.db.0.9.0')));
    const refused = await svc(it, older, 'upgrade');
    assert.is(refused.code, 1);
    assert.match(refused.err, /svc 0\.9\.0 is older than svc 0\.9\.1/);
    assert.ok(refused.err.includes(`put the copy ${join(it.home, 'state.db.0.9.0')}`), refused.err);
    assert.is((await it.client.health()).version, '0.9.1', 'the runner continues');

    assert.is((await svc(it, newer, 'runner', 'stop')).code, 0);
    const start = await svc(it, older, 'start', '--no-open', '--port', '0');
    assert.is(start.code, 1);
    assert.ok(
      start.err.includes(`put the copy ${join(it.home, 'state.db.0.9.0')} back`),
      start.err,
    );
  }),
);

long(
  'a build that does not load is refused, and one that does not start is taken back: the job continues (RUN-4)',
  story({ workflow: ONE_PHASE, programs: { worker: UNTIL_GO } }, async (it) => {
    const id = await it.job();
    const working = await it.until(id, (job) => job.insights.length === 1);
    const { version } = await it.client.health();
    const before = await it.client.journal(id);

    const unloadable = await svc(it, otherBuild(it.dir, '0.9.2', 'load'), 'upgrade');
    assert.is(unloadable.code, 1);
    assert.match(unloadable.err, /svc 0\.9\.2 .* cannot take over; the runner continues unchanged/);
    assert.match(unloadable.err, /this build does not load/);
    assert.equal((await it.client.journal(id)).length, before.length, 'no session was interrupted');

    const broken = otherBuild(it.dir, '0.9.3', 'start');
    const back = await svc(it, broken, 'upgrade');
    assert.is(back.code, 1);
    assert.match(back.err, /svc 0\.9\.3 .* was rolled back, and svc .* continues with every job/);
    assert.match(back.err, /this build does not start/);
    assert.is((await it.client.health()).version, version);

    it.write(join(String(working.params.repoCheckoutAbsDir), 'go'), '');
    const endedJob = await it.until(id, (job) => job.ended);
    assert.equal([endedJob.status, endedJob.phases[0]?.sessions], ['complete', 1]);
    await it.runner.stop();
    const state = inspectStore(join(it.home, 'state.db'));
    assert.is(state.held ? 'held' : state.release, version, 'the state is that of the copy');
  }),
);

test.run();
