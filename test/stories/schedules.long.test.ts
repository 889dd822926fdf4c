import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../src/api/client/problem.ts';
import { later } from '../support/later.ts';
import { story } from '../support/story.ts';

const test = suite('stories: schedules');

const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;
const DAY_MS = 86_400_000;

/** Places of the mistakes that a request is refused for. */
async function placesOfRefusal(request: Promise<unknown>): Promise<string[]> {
  const error = await request.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, ClientError);
  return (error as ClientError).problem.errors?.map(({ pointer }) => pointer) ?? [];
}

const schedule = {
  name: 'nightly',
  cron: '0 3 * * *',
  timeZone: 'Europe/Berlin',
  workflow: 'workflows/story.md',
  params: { repoSlug: 'repo', description: 'what is due' },
};

test(
  'a schedule is checked when it is written, started by hand, and made up after the runner was away',
  story({ workflow: ONE_PHASE, programs: { worker: '' } }, async (it) => {
    const put = (over: object) => it.client.updateConfig({ schedules: [{ ...schedule, ...over }] });
    for (const [over, place] of [
      [{ workflow: 'workflows/storry.md' }, '/schedules/0/workflow'],
      [{ cron: '0 3 * *' }, '/schedules/0/cron'],
      [{ timeZone: 'Europe/Berlni' }, '/schedules/0/timeZone'],
      [{ params: { repoSlug: 'nowhere' } }, '/schedules/0/params/repoSlug'],
    ] as const)
      assert.equal(await placesOfRefusal(put(over)), [place]);

    await put({});
    await it.settled(async () => (await it.client.schedules())[0]?.state === 'on');
    const [savedSchedule] = await it.client.schedules();
    assert.equal(
      [savedSchedule?.problem, savedSchedule?.next.length, savedSchedule?.runs],
      [null, 5, []],
    );

    const { jobId } = await it.client.runSchedule('nightly');
    const job = await it.until(jobId, ({ ended }) => ended);
    assert.is(job.status, 'complete');
    assert.is(Object(job.params.trigger).schedule, 'nightly');

    await it.runner.kill();
    await it.runner.start(later(2 * DAY_MS));
    await it.settled(async () => ((await it.client.schedules())[0]?.runs.length ?? 0) > 1);
    const [after] = await it.client.schedules();
    assert.equal(
      after?.runs.map(({ state, manual }) => [state, manual]),
      [
        ['started', false],
        ['skipped', false],
        ['started', true],
      ],
    );
    await it.until(String(after?.runs[0]?.jobId), ({ ended }) => ended);
  }),
);

test.run();
