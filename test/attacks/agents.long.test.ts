import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  attackedRunner,
  endAll,
  goesOn,
  startJob,
  readMemory,
  parseProblem,
  send,
} from '../support/attackedRunner.ts';
import { isAlive } from '../support/agents/sessionRequest.ts';

const test = suite('attacks: agents');

/** Wait between the polite and the forced end of a session, seconds. */
const GRACE_SECONDS = 1;
/** Output that a session of this file may have, bytes. */
const OUTPUT_LIMIT = 4 * 1024 * 1024;
/** Of a runner that serves others, on a machine that runs other tests meanwhile: one that waits for the flood takes longer. */
const SLOWEST_ANSWER_MS = 5_000;
/** What an agent that floods may add to the runner's memory, MiB. */
const MEMORY_FOR_A_FLOOD = 120;

const phase = (name: string) =>
  `  - { name: ${name}, agent: agents/${name}.md, status: ${name} }\n`;
const workflow = (...names: string[]) =>
  `---\ninitial_phase: ${names[0]}\ninitial_status: ${names[0]}\nphases:\n${names.map(phase).join('')}---\n\nAn attack.\n`;

/** Deaf to SIGTERM, with a deaf child in its group and one in a session of its own. */
const DEAF = `
const { spawn } = await import('node:child_process');
process.on('SIGTERM', () => {});
const deaf = 'trap "" TERM; while :; do sleep 0.1; done';
const near = spawn('sh', ['-c', deaf], { stdio: 'ignore' });
const far = spawn('sh', ['-c', deaf], { stdio: 'ignore', detached: true });
console.log('pids ' + [process.pid, near.pid, far.pid].join(' ') + ' all-listed');
await waitForEver();
`;

const it = await attackedRunner({
  workflow: `initial_phase: deaf\ninitial_status: deaf\nphases:\n${phase('deaf')}`,
  programs: {
    deaf: DEAF,
    flood:
      "const { spawn } = await import('node:child_process'); spawn('sh', ['-c', 'yes >&2 & exec yes'], { stdio: 'inherit' }); await waitForEver();",
    endless:
      "const { spawn } = await import('node:child_process'); spawn('cat', ['/dev/zero'], { stdio: 'inherit' }); await waitForEver();",
    forks: `
const { stdout } = spawnSync('sh', ['-c', 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1000 >/dev/null 2>&1 & echo $!; (setsid sh -c "echo \\\\$\\\\$; exec sleep 1000 >/dev/null 2>&1" &); done; sleep 0.3'], { encoding: 'utf8' });
console.log('pids ' + stdout.trim().split('\\n').join(' ') + ' all-listed');
`,
    // The runner removes the file with the session's end; the attacker has kept it.
    first:
      "tool('add_insight', { category: 'attack', text: 'in time' }); writeFileSync('../kept.json', readFileSync(process.env.SVC_SESSION_DIR + '/mcp.json'));",
    second: "console.log('the second is here'); await waitForEver();",
  },
  config: { runner: { stopGraceSeconds: GRACE_SECONDS, sessionOutputBytes: OUTPUT_LIMIT } },
  tenant: {
    'workflows/flood.md': workflow('flood'),
    'workflows/endless.md': workflow('endless'),
    'workflows/forks.md': workflow('forks'),
    'workflows/late.md': workflow('first', 'second'),
  },
});
test.after(() => endAll(it));

const listPids = async (id: string): Promise<number[]> =>
  (/pids ([\d ]+) all-listed/.exec(await it.firstLines(id, 'all-listed'))?.[1] ?? '')
    .split(' ')
    .map(Number);
const living = async (pids: readonly number[]): Promise<number[]> => {
  const alive = await Promise.all(pids.map(isAlive));
  return pids.filter((_, index) => alive[index]);
};

test('22 · an agent that hangs, ignores SIGTERM and has deaf children: a cancel ends all of them after the grace', async () => {
  const id = await it.job();
  const pids = await listPids(id);
  assert.equal(pids.length, 3);
  assert.equal(await living(pids), pids);
  const cancelledAt = Date.now();
  await it.client.cancel(id, { reason: 'it hangs' });
  const job = await it.until(id, ({ ended }) => ended);
  assert.equal(job.status, 'cancelled');
  assert.equal(await living(pids), []);
  assert.ok(Date.now() - cancelledAt < GRACE_SECONDS * 1000 + 3_000);
  await goesOn(it);
});

test('22 · an agent that floods its output, in short lines and in one endless line: the session ends, memory is bounded, others are served', async () => {
  for (const name of ['flood', 'endless']) {
    const before = readMemory(it.runner.pid).now;
    const id = await startJob(it, `workflows/${name}.md`);
    let slowest = 0;
    let ended = false;
    while (!ended) {
      const startedAt = performance.now();
      await it.client.health();
      slowest = Math.max(slowest, performance.now() - startedAt);
      ({ ended } = await it.client.job(id));
    }
    const job = await it.client.job(id);
    assert.is(job.status, 'failed');
    assert.match(
      job.escalationMessage ?? '',
      `The output limit of ${OUTPUT_LIMIT} bytes is reached. The session was ended.`,
    );
    const grown = readMemory(it.runner.pid).most - before;
    assert.ok(grown < MEMORY_FOR_A_FLOOD, `${name}: the runner grew by ${grown.toFixed(0)} MiB`);
    assert.ok(slowest < SLOWEST_ANSWER_MS, `${name}: an answer took ${slowest.toFixed(0)} ms`);
    await goesOn(it);
  }
});

test('22 · an agent that leaves twenty children behind, ten of them in sessions of their own: none outlives its session', async () => {
  const id = await startJob(it, 'workflows/forks.md');
  const pids = await listPids(id);
  assert.is(pids.length, 20);
  assert.is((await it.until(id, ({ ended }) => ended)).status, 'complete');
  assert.equal(await living(pids), []);
  await goesOn(it);
});

test('31 · a tool call from a finished phase: 404 and that the phase is over, and it changes nothing', async () => {
  const id = await startJob(it, 'workflows/late.md');
  await it.firstLines(id, 'the second is here');
  const before = await it.client.job(id);
  const readServer = (...file: string[]): { url: string; token: string } =>
    JSON.parse(readFileSync(join(it.home, 'work', id, ...file), 'utf8'));
  const [first, second] = [readServer('kept.json'), readServer('_sessions', '2.1', 'mcp.json')];
  const call = (url: string, token: string, body: string) =>
    send(it, 'POST', new URL(url).pathname, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' },
      body,
    });
  const escalate = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'escalate', arguments: { message: 'late' } },
  });

  const late = parseProblem(await call(first.url, first.token, escalate), 'a late call');
  assert.equal(late.status, 404);
  assert.equal(late.code, 'not-found');
  assert.match(late.detail, 'This phase is over; end your turn.');
  for (const token of [first.token, it.runner.token, 'x']) {
    const outsider = parseProblem(
      await call(second.url, token, escalate),
      'a token of another session',
    );
    assert.equal(outsider.status, 401);
    assert.equal(outsider.code, 'unauthorized');
  }
  assert.is((await call(second.url, second.token, '{"jsonrpc":')).status, 400);
  assert.is(
    (
      await call(
        second.url,
        second.token,
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(10 * 1024 * 1024) }),
      )
    ).status,
    413,
  );

  const after = await it.client.job(id);
  assert.equal(after.state, before.state);
  assert.equal(after.journalLength, before.journalLength);
  assert.equal(
    after.insights.map(({ text }) => text),
    ['in time'],
  );
  await it.client.cancel(id, {});
  await it.until(id, ({ ended }) => ended);
  await goesOn(it);
});

test('22 · agents that outlive a crash of the runner, deaf children included, are found and ended at its start', async () => {
  const id = await it.job();
  const pids = await listPids(id);
  await it.runner.kill();
  assert.equal(await living(pids), pids, 'they outlive the crash');
  await it.runner.start();
  assert.equal(await living(pids), []);
  await it.client.cancel(id, {});
  await it.until(id, ({ ended }) => ended);
  await goesOn(it);
});

test.run();
