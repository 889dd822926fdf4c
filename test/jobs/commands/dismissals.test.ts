import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDismissals } from '../../../src/jobs/commands/dismissals.ts';
import { FENCE, ID, openJobAtWork } from '../../support/charts/jobAtWork.ts';

const test = suite('job: what needs a person, and dismissals');

/** A job at work that can be dismissed. */
async function atWork() {
  const job = await openJobAtWork();
  const dismissals = createDismissals(job.deps);
  const refusal = (act: 'dismiss' | 'undismiss') =>
    dismissals[act](ID, { by: 'open' }).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  return { ...job, dismissals, refusal };
}

test('the row of the list follows the job in the commits of its steps (HTTP-2)', async () => {
  const { store, clock, summary, send, fails, kernel } = await atWork();
  const row = () => store.rows.one('job_list', { job_id: ID });
  assert.is(row()?.state, 'working');
  assert.is(row()?.title, 'fix the cafe');
  assert.match(row()?.text ?? '', /fix the cafe\nand more\nshop\ncoding/);
  clock.advance(60_000);
  await send({ type: 'job.pause' });
  await send({ ...FENCE, ...fails, stopReason: 'cancelled', error: null });
  assert.is(row()?.state, 'waiting');
  assert.is(row()?.ask, null);
  assert.is(summary().needs, null);
  assert.is(summary().since, summary().parked?.since);
  await kernel.stop(0);
});

test('a failed job needs a person until it is dismissed; that can be undone, and its watchers hear of both (JOB-9)', async () => {
  const { summary, seen, send, fails, dismissals, store, kernel } = await atWork();
  await send({ ...FENCE, ...fails });
  assert.is(summary().status, 'failed');
  assert.is(summary().needs?.group, 'broken');
  assert.is(summary().needs?.ask, 'failed');
  assert.match(summary().reason ?? '', /It broke/);
  assert.is((await dismissals.dismiss(ID, { by: 'login' })).needs, null);
  assert.is(seen.at(-1)?.needs, null);
  assert.is(store.jobs.total({ needs: 'me' }), 0);
  assert.is((await dismissals.undismiss(ID, { by: 'open' })).needs?.ask, 'failed');
  assert.is(seen.at(-1)?.needs?.ask, 'failed');
  const lines = store.durable.frames(ID, 0, 100).map(({ data }) => data['line']);
  assert.ok(lines.includes('Dismissed (login).'));
  await kernel.stop(0);
});

test('a dismissed job that runs again and fails again needs a person again', async () => {
  const { summary, send, fails, dismissals, kernel } = await atWork();
  await send({ ...FENCE, ...fails });
  await dismissals.dismiss(ID, { by: 'open' });
  await send({ type: 'job.resume', eventKey: 'manual-resume' });
  assert.is(summary().needs, null);
  await send({ type: 'job.cancel', reason: null });
  assert.is(summary().needs, null);
  await kernel.stop(0);
});

test('a job that is at work, or waits for a decision, cannot be dismissed', async () => {
  const { refusal, kernel } = await atWork();
  assert.is(
    await refusal('dismiss'),
    'a has not failed or escalated and has left no pull request open, so nothing can be dismissed.',
  );
  await kernel.stop(0);
});

test('a dismissal that is sent twice with one key happens once', async () => {
  const { send, fails, dismissals, store, kernel } = await atWork();
  await send({ ...FENCE, ...fails });
  const request = { key: 'once', bodyHash: 'h' };
  await dismissals.dismiss(ID, { by: 'open', requestKey: request });
  const frames = store.durable.frames(ID, 0, 100).length;
  await dismissals.dismiss(ID, { by: 'open', requestKey: request });
  assert.is(store.durable.frames(ID, 0, 100).length, frames);
  await kernel.stop(0);
});

test.run();
