import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attackedRunner, endAll, send } from '../support/attackedRunner.ts';
import { distinctPoints, playMatrix } from '../support/crash/crashMatrix.ts';
import { shortJob } from '../support/crash/crashScenario.ts';
import { CrashStage } from '../support/crash/crashStage.ts';
import { attach, canTrace } from '../support/crash/systemCalls.ts';

const test = suite('crashes while commits are written on a thread of their own');

// Read by the runners that the stage starts.
process.env['SVC_COMMITS'] = 'thread';

// Which of the two SQLite has, is a matter of how it was built.
const parseCall = (line: string): string =>
  (/\w+(?=\()/.exec(line)?.[0] ?? '').replace(/^f(data)?sync$/, 'sync');

const stage = new CrashStage(shortJob);
test.after(() => stage.remove());

// `SVC_COMMITS=thread` before npm run test:crash or test:kill plays all points, or kills at random.
test('killed before the hand-over, after it, and with the batch written but not answered, a job ends the same (RUN-4)', async () => {
  const clean = await stage.play();
  assert.equal(clean.problems, []);
  const distinct = distinctPoints(clean.points);
  const points = [':handing', ':handed', ':after'].map((side) => {
    const matches = distinct.filter((point) => /^commit:.*#/.test(point) && point.includes(side));
    assert.ok(matches.length > 10, `${side}: ${matches.join(' ')}`);
    return matches[matches.length >> 1] ?? '';
  });
  const { missed, wrong, ...report } = await playMatrix(stage, clean, { points, atOnce: 3 });
  console.log(`\nnote: ${JSON.stringify(report)}`);
  assert.equal({ missed, wrong: wrong.slice(0, 5) }, { missed: [], wrong: [] });
  assert.is(report.crashes, points.length);
});

if (canTrace)
  test('power loss: the thread syncs the log after its last write and before the answer (strace)', async () => {
    const it = await attackedRunner({
      workflow: `
initial_phase: ask
initial_status: asking
phases:
  - { name: ask, agent: agents/asker.md, status: asking, interactive_checkpoint: true }
  - { name: end, agent: agents/asker.md, status: ending }
`,
      programs: { asker: "console.log('asked');" },
    });
    const id = await it.job();
    await it.until(id, ({ parked }) => parked?.kind === 'approval');
    const tracing = await attach(
      it.runner.pid,
      '-y',
      '-e',
      'trace=pwrite64,fdatasync,fsync,writev',
    );
    const { status } = await send(it, 'POST', `/jobs/${id}/cancel`, { body: '{}' });
    const calls = (await tracing.end()).split('\n');
    await endAll(it);
    assert.is(status, 200);
    const main = String(it.runner.pid);
    const ofTheCommit = calls
      .slice(0, calls.findIndex((line) => line.includes('HTTP/1.1 200')) + 1)
      .filter((line) => /state\.db-wal>|HTTP\/1\.1 200/.test(line))
      .map((line) => `${line.startsWith(`${main} `) ? 'main' : 'other'} ${parseCall(line)}`);
    // One after another the same are one.
    const order = ofTheCommit.filter((call, n) => call !== ofTheCommit[n - 1]);
    // Its effects may be committed before the answer leaves.
    assert.equal(order.slice(0, 2), ['other pwrite64', 'other sync']);
    assert.is(order.at(-1), 'main writev');
  });
else console.log('left out: the order of the calls of a commit; strace is missing or may not look');

test.run();
