import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SteeringStage } from '../../support/charts/steeringStage.ts';

const test = suite('steering chart');

test('a message that comes while the agent answers interrupts it and is its next turn (STR-1 STR-2)', async () => {
  const stage = new SteeringStage({ folds: true });
  stage.send({ type: 'doing', what: 'Bash npm test' });
  stage.message('a');
  assert.equal(stage.news(), [
    'hold tools',
    'control: the agent is interrupted for a message',
    'interrupt 5000',
  ]);
  await stage.answer('interrupt', true);
  stage.turnEnds('interrupted');
  assert.equal(stage.news(), ['heal', 'offer a interrupt (Bash npm test)']);
  await stage.answer('offer', [{ id: 'a', text: 'text of a' }]);
  await stage.answer('heal', true);
  assert.equal(stage.news(), ['send a', 'release tools']);
  stage.turnEnds('end_turn');
  assert.equal(stage.news(), ['close']);
});

test('while a tool of a server is at work a message interrupts nothing: it is folded in where the executor can (STR-2)', async () => {
  const stage = new SteeringStage({ folds: true });
  stage.send({ type: 'call.began' });
  stage.message('a');
  assert.equal(stage.news(), ['offer a folded']);
  await stage.answer('offer', [{ id: 'a', text: 'text of a' }]);
  assert.equal(stage.news(), ['send a']);
});

test('and where the executor cannot fold, it waits for the end of the turn (STR-2)', async () => {
  const stage = new SteeringStage({ folds: false });
  stage.send({ type: 'call.began' });
  stage.message('a');
  stage.send({ type: 'call.ended' });
  assert.equal(stage.said, []);
  stage.turnEnds('end_turn');
  assert.equal(stage.news(), ['offer a next-turn']);
  await stage.answer('offer', [{ id: 'a', text: 'text of a' }]);
  assert.equal(stage.news(), ['send a']);
});

test('an interrupt that is not acknowledged is asked again after 5 s; after 10 s the message stays queued (STR-3)', async () => {
  const stage = new SteeringStage({ folds: true });
  stage.message('a');
  stage.news();
  stage.clock.advance(5_000);
  assert.equal(stage.news(), [
    'control: no acknowledgement of the interrupt within 5 s; asked again',
    'interrupt 5000',
  ]);
  stage.clock.advance(5_000);
  assert.equal(stage.news(), [
    'release tools',
    'control: timeout: no acknowledgement of the interrupt within 10 s; the message stays queued',
  ]);
  stage.message('b');
  assert.equal(stage.news(), [], 'a frozen agent is not asked a third time');
  stage.turnEnds('end_turn');
  assert.equal(stage.news(), ['offer a,b next-turn']);
});

test('nothing is sent while an interrupt is on its way: it would hit the turn after (STR-2)', async () => {
  const stage = new SteeringStage({ folds: true });
  stage.message('a');
  stage.turnEnds('end_turn');
  assert.equal(stage.news(), [
    'hold tools',
    'control: the agent is interrupted for a message',
    'interrupt 5000',
  ]);
  await stage.answer('interrupt', true);
  assert.equal(stage.news(), ['heal', 'offer a next-turn']);
});

test('the input stays open on interrupted, tool_use and pause_turn, and closes on any other end (STR-1)', () => {
  for (const [stopReason, expected] of [
    ['interrupted', ['nudge']],
    ['tool_use', ['nudge']],
    ['pause_turn', ['nudge']],
    ['end_turn', ['close']],
    ['max_tokens', ['close']],
    ['max_turns', ['close']],
    ['refusal', ['close']],
    ['error', ['close']],
  ] as const) {
    const stage = new SteeringStage({ folds: true });
    stage.turnEnds(stopReason);
    assert.equal(stage.said, expected, stopReason);
  }
});

test('an agent that pauses its turn again and again is asked to continue ten times in a row', () => {
  const stage = new SteeringStage({ folds: true });
  for (let turn = 0; turn < 11; turn++) stage.turnEnds('pause_turn');
  assert.equal(stage.said, [...Array(10).fill('nudge'), 'close']);
});

test('an agent whose answer is empty is asked once more, and the session ends when the next one is empty too', () => {
  const stage = new SteeringStage({ folds: true });
  stage.turnEnds('empty');
  assert.equal(stage.news(), ['nudge']);
  stage.turnEnds('empty');
  assert.equal(stage.news(), ['close']);
});

test('and is asked again where it has answered between two empty answers', () => {
  const stage = new SteeringStage({ folds: true });
  for (const stop of ['empty', 'pause_turn', 'empty'] as const) stage.turnEnds(stop);
  assert.is(stage.news().length, 3);
});

test('a message that was superseded while it was offered is not sent, and the agent is asked to continue', async () => {
  const stage = new SteeringStage({ folds: true });
  stage.message('a');
  stage.news();
  await stage.answer('interrupt', true);
  stage.turnEnds('interrupted');
  await stage.answer('heal', true);
  await stage.answer('offer', []);
  assert.equal(stage.news(), ['heal', 'offer a interrupt (its answer)', 'release tools', 'nudge']);
});

test('a turn that ends while a message is folded in is started again by it: nothing is lost', async () => {
  const stage = new SteeringStage({ folds: true });
  stage.send({ type: 'call.began' });
  stage.message('a');
  stage.send({ type: 'call.ended' });
  stage.turnEnds('end_turn');
  assert.equal(stage.news(), ['offer a folded']);
  await stage.answer('offer', [{ id: 'a', text: 'text of a' }]);
  assert.equal(stage.news(), ['send a']);
  stage.turnEnds('end_turn');
  assert.equal(stage.news(), ['close']);
});

test('an answer that the agent did not get: its tool server is checked and it is asked to call again (STR-4)', async () => {
  const stage = new SteeringStage({ folds: true });
  stage.send({ type: 'answer.lost' });
  assert.equal(stage.news(), ['hold tools', 'heal']);
  await stage.answer('heal', true);
  assert.equal(stage.news(), ['release tools', 'nudge']);
});

test('an agent that does not reach its tool server continues after 10 s at the latest', async () => {
  const stage = new SteeringStage({ folds: true });
  stage.send({ type: 'answer.lost' });
  stage.news();
  stage.clock.advance(10_000);
  assert.equal(stage.news(), [
    'release tools',
    'control: the agent took too long to reach its tool server again',
  ]);
});

test('a stop interrupts also while a tool is at work, and ends the session when that is acknowledged, or after 5 s (JOB-9)', async () => {
  const polite = new SteeringStage({ folds: true });
  polite.send({ type: 'call.began' });
  polite.send({ type: 'stop' });
  assert.equal(polite.news(), ['interrupt 5000']);
  await polite.answer('interrupt', true);
  assert.equal(polite.news(), ['close', 'end']);

  const frozen = new SteeringStage({ folds: true });
  frozen.send({ type: 'stop' });
  frozen.news();
  frozen.clock.advance(5_000);
  assert.equal(frozen.news(), ['close', 'end']);
});

test('a message that comes when the input is closed is not taken, and that is said', () => {
  const stage = new SteeringStage({ folds: true });
  stage.turnEnds('end_turn');
  stage.news();
  stage.message('late');
  assert.equal(stage.news(), [
    'control: the session is ending; the message waits for the next one',
  ]);
});

test('an offer that cannot be written down sends nothing', async () => {
  const stage = new SteeringStage({ folds: false });
  stage.send({ type: 'call.began' });
  stage.message('a');
  stage.turnEnds('end_turn');
  stage.news();
  await stage.refuse('offer');
  assert.equal(stage.news(), [
    'control: a message could not be written down as offered; it waits for the next session',
    'close',
  ]);
});

test.run();
