import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_SNOOZE_DAYS } from '../../../src/base/limits/jobLimits.ts';
import { Snoozes } from '../../../src/jobs/commands/snoozes.ts';
import { FENCE, ID, openJobAtWork } from '../../support/charts/jobAtWork.ts';

const test = suite('job: what it needs a person for, put off');

const HOUR_MS = 3_600_000;
const BY = { by: 'login' as const };

/** A job that failed, and what was put off of it. */
async function openFailedJob() {
  const job = await openJobAtWork();
  await job.send({ ...FENCE, ...job.fails });
  let onEnd = () => {};
  const noteChanged = (ids: readonly string[]) => {
    job.deps.notifyChanged(ids);
    onEnd();
  };
  const onError = (error: unknown) => {
    throw error;
  };
  const open = () => new Snoozes({ ...job.deps, notifyChanged: noteChanged, onError });
  /** Lets the time pass that ends a snooze, and waits until it has ended. */
  const passUntilEnd = (ms: number) => {
    const end = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    job.clock.advance(ms);
    return end;
  };
  const snoozes = open();
  snoozes.start();
  const inHours = (hours: number) => ({
    until: new Date(job.clock.now() + hours * HOUR_MS).toISOString(),
  });
  const refusal = (hours: number) =>
    snoozes.facade.snooze(ID, inHours(hours), BY).then(
      () => 'taken',
      ({ code }: { code?: string }) => code,
    );
  const close = async () => {
    snoozes.stop();
    await job.kernel.stop(0);
  };
  return { ...job, ...snoozes.facade, open, snoozes, inHours, refusal, passUntilEnd, close };
}

test('a snoozed job needs no one until its time, and is counted apart; its watchers hear of both ends (JOB-9)', async () => {
  const job = await openFailedJob();
  const { snooze, inHours, summary, seen, store, clock, passUntilEnd, close } = job;
  const request = inHours(2);
  assert.equal((await snooze(ID, request, BY)).snoozed, { ask: 'failed', until: request.until });
  assert.is(seen.at(-1)?.needs, null);
  assert.is(store.jobs.total({ needs: 'me' }), 0);
  assert.is(store.jobs.total({ needs: 'snoozed' }), 1);
  clock.advance(2 * HOUR_MS - 1);
  assert.is(summary().needs, null);
  await passUntilEnd(1);
  assert.is(summary().needs?.ask, 'failed');
  assert.is(summary().snoozed, undefined);
  assert.is(seen.at(-1)?.needs?.ask, 'failed');
  assert.is(store.jobs.total({ needs: 'snoozed' }), 0);
  await close();
});

test('a change of the job ends it, and its time then changes nothing', async () => {
  const { snooze, inHours, summary, send, passUntilEnd, store, close } = await openFailedJob();
  await snooze(ID, inHours(2), BY);
  await send({ type: 'job.resume', eventKey: 'manual-resume' });
  assert.is(summary().snoozed, undefined);
  assert.is(store.jobs.total({ needs: 'snoozed' }), 0);
  await passUntilEnd(2 * HOUR_MS);
  assert.is(summary().needs, null);
  assert.is(store.rows.count('snoozes'), 0);
  await close();
});

test('it can be ended at once, and moved to another time', async () => {
  const { snooze, unsnooze, inHours, summary, clock, close } = await openFailedJob();
  await snooze(ID, inHours(1), BY);
  const later = inHours(5);
  await snooze(ID, later, BY);
  clock.advance(2 * HOUR_MS);
  assert.is(summary().snoozed?.until, later.until);
  assert.is((await unsnooze(ID, BY)).needs?.ask, 'failed');
  await close();
});

test('one whose time has come while no runner ran ends at the start', async () => {
  const job = await openFailedJob();
  const { snooze, inHours, summary, clock, snoozes, open, passUntilEnd, close } = job;
  await snooze(ID, inHours(1), BY);
  snoozes.stop();
  clock.advance(24 * HOUR_MS);
  assert.is(summary().needs, null);
  const next = open();
  next.start();
  await passUntilEnd(0);
  assert.is(summary().needs?.ask, 'failed');
  next.stop();
  await close();
});

test('refused: a time in the past or too far ahead, and a job that needs no one', async () => {
  const { refusal, close, send, unsnooze } = await openFailedJob();
  assert.is(await refusal(-1), 'bad-argument');
  assert.is(await refusal(MAX_SNOOZE_DAYS * 24 + 1), 'bad-argument');
  const isAwake = await unsnooze(ID, BY).catch(({ code }: { code?: string }) => code);
  assert.is(isAwake, 'not-possible-now');
  await send({ type: 'job.resume', eventKey: 'manual-resume' });
  assert.is(await refusal(1), 'not-possible-now');
  await close();
});

test.run();
