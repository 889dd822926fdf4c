import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { distinctPoints, playMatrix } from '../support/crash/crashMatrix.ts';
import { shortJob } from '../support/crash/crashScenario.ts';
import { CrashStage } from '../support/crash/crashStage.ts';

const test = suite('crashes while commits wait for the disk on another thread');

// Read by the runners that the stage starts.
process.env['SVC_COMMITS'] = 'thread';

const stage = new CrashStage(shortJob);
test.after(() => stage.remove());

// `SVC_COMMITS=thread` before npm run test:crash or test:kill plays all points, or kills at random.
test('killed before the hand-over, after it, and with the sync done but not answered, a job ends the same (RUN-4)', async () => {
  const clean = await stage.play();
  assert.equal(clean.problems, []);
  const distinct = distinctPoints(clean.points);
  const points = [':written', ':handed', ':after'].map((side) => {
    const found = distinct.filter((point) => /^commit:.*#/.test(point) && point.includes(side));
    assert.ok(found.length > 10, `${side}: ${found.join(' ')}`);
    return found[found.length >> 1] ?? '';
  });
  const { missed, wrong, ...report } = await playMatrix(stage, clean, { points, atOnce: 3 });
  console.log(`\nnote: ${JSON.stringify(report)}`);
  assert.equal({ missed, wrong: wrong.slice(0, 5) }, { missed: [], wrong: [] });
  assert.is(report.crashes, points.length);
});

test.run();
