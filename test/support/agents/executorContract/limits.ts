import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStage, type Stage, type Subject } from './stage.ts';

const listTurns = ({ events }: Stage) =>
  events.flatMap((event) => (event.type === 'turn' ? [event.stopReason] : []));
const FAILS = { svc: 'update_work_item', args: { id: 'none', status: 'complete' } };
const again = (calls: readonly (typeof FAILS | { shell: string })[], times: number) =>
  Array.from({ length: times }, () => ({ calls }));

/** What becomes of an agent that comes to no end of its own. */
export function limitCases(test: Test, subject: Subject): void {
  test('an answer with neither text nor a call ends its turn as empty; when the next one is empty too, the session is stuck', async () => {
    await using stage = await openStage(subject, {
      work: [{}],
      other: [{}],
      fine: [{ say: 'Yes.' }],
    });
    const { session, steering } = await stage.start();
    await stage.until(({ type }) => type === 'turn');
    steering.send([{ id: 'nudge-1', text: 'Continue @@other.' }]);
    await stage.until(() => listTurns(stage).length === 2);
    steering.close();
    const { stopReason, error } = await session.result;
    assert.equal(listTurns(stage), ['empty', 'empty']);
    assert.is(stopReason, 'stuck');
    assert.match(error ?? '', 'neither text nor a tool call');
  });

  test('after a tool that asks for the end of the turn, the agent need not say anything', async () => {
    await using stage = await openStage(subject, {
      work: [{ calls: [{ svc: 'await_event', args: {} }] }, {}],
    });
    assert.is((await stage.play()).stopReason, 'end_turn');
  });

  test('a call that fails again and again while no other succeeds ends the session as stuck', async () => {
    await using stage = await openStage(
      subject,
      { work: again([FAILS], 20) },
      {},
      { maxRepeatedFailures: 4 },
    );
    const { session, steering } = await stage.start();
    const { stopReason, error } = await session.result;
    steering.close();
    assert.is(stopReason, 'stuck');
    assert.match(error ?? '', /failed 4 times while no other succeeded.*maxRepeatedFailures/);
    assert.ok(stage.model.requests.played.length <= 6);
  });

  test('more requests in one turn than the limit allows end the session as stuck', async () => {
    const work = again([{ shell: 'true' }], 20);
    await using stage = await openStage(subject, { work }, {}, { maxTurns: 3 });
    const { stopReason, error } = await stage.play();
    assert.is(stopReason, 'stuck');
    assert.match(error ?? '', /asked its model 3 times in one turn.*config\.maxTurns/);
    assert.ok(stage.model.requests.played.length <= 5);
  });

  test('a refusal, and an answer that is cut off again and again, are for a person and no error', async () => {
    for (const stop of ['refusal', 'max_tokens'] as const) {
      const step = { say: 'I begin', stop };
      await using stage = await openStage(subject, { work: Array(12).fill(step) });
      const { stopReason, error } = await stage.play();
      assert.equal(stop, stop, error ?? '');
      assert.equal(stopReason, 'stuck', error ?? '');
    }
  });

  test('a call of a tool that does not exist is in the log, as failed', async () => {
    await using stage = await openStage(subject, {
      work: [{ calls: [{ tool: 'Nothing', args: {} }] }, { say: 'I see.' }],
    });
    assert.is((await stage.play()).stopReason, 'end_turn');
    const failed = stage.events.filter(
      (event) => event.type === 'tool' && event.at === 'end' && !event.ok,
    );
    assert.is(failed.length, 1);
  });
}
