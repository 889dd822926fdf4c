import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../src/base/errors/errors.ts';
import { WEBHOOK_POLL_MS, WebhookPace } from '../../src/forges/inbound/polling/webhookPace.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { HOOK_SECRET } from '../support/forges/installedReaders.ts';
import { createSlackChallenge, signAsSlack } from '../support/forges/slackRequests.ts';
import { catchRefusal } from '../support/refusal.ts';
import { issueEvent, rule, webhookStage } from '../support/forges/webhookStage.ts';

const test = suite('webhooks: through the control plane');

const createLabelEvent = () => issueEvent('labeled', 'ann');
const openStage = () => webhookStage([rule({ authors: ['ann'] })]);
const countJobs = ({ rows }: Awaited<ReturnType<typeof openStage>>) => rows.count('trigger_runs');

test('a forwarded delivery creates the job of its rule, once, and says which (EVT-3)', async () => {
  const stage = await openStage();
  const payload = createLabelEvent();
  const first = await stage.forward(payload, { id: 'd1' });
  const again = await stage.forward(payload, { id: 'd1' });
  assert.equal([first.outcome, typeof first.jobId], ['taken', 'string']);
  assert.equal(again, first);
  // The same bytes through a tunnel of its own are a copy too.
  assert.equal(await stage.github(payload, 'd2'), { accepted: true, duplicate: true });
  assert.is(countJobs(stage), 1);
});

test('where another runner creates the job this one creates none, and remembers the delivery', async () => {
  const stage = await openStage();
  stage.denial = 'the runner mac creates its job';
  const payload = createLabelEvent();
  assert.equal(await stage.forward(payload, { id: 'd1' }), {
    outcome: 'taken',
    reason: 'the runner mac creates its job',
  });
  stage.denial = null;
  assert.equal(await stage.forward(payload, { id: 'd1' }), { outcome: 'taken' });
  assert.is(countJobs(stage), 0);
  assert.equal(
    stage.triggers.views().map(({ refused }) => refused),
    [0],
  );
});

test('offered a job that another runner has given back, it creates it, once', async () => {
  const stage = await openStage();
  const payload = createLabelEvent();
  stage.denial = 'another runner creates its job';
  await stage.forward(payload, { id: 'd1' });
  stage.denial = null;
  const { jobId } = await stage.forward(payload, { id: 'd1', rule: 'bugs' });
  assert.type(jobId, 'string');
  assert.equal(await stage.forward(payload, { id: 'd1', rule: 'bugs' }), {
    outcome: 'taken',
    jobId,
  });
  assert.is(countJobs(stage), 1);
  const other = await stage.forward(createLabelEvent(), {
    id: 'd3',
    rule: 'a rule that is not here',
  });
  assert.equal([other.outcome, other.jobId], ['taken', undefined]);
});

test('a job that cannot be created here is reported with the reason, for the next runner', async () => {
  const stage = await openStage();
  stage.refuse = new SvcError('cannot-run', 'No agent program runs here.');
  const outcome = await stage.forward(createLabelEvent());
  assert.equal(outcome, { outcome: 'taken', reason: 'No agent program runs here.' });
});

test('while the team cannot be asked no rule fires, and the delivery is wanted again', async () => {
  const stage = await openStage();
  stage.denial = new SvcError('cloud-unreachable', 'not connected');
  const payload = createLabelEvent();
  assert.is((await stage.forward(payload, { id: 'd1' })).outcome, 'later');
  assert.is(countJobs(stage), 0);
  stage.denial = null;
  assert.type((await stage.forward(payload, { id: 'd1' })).jobId, 'string');
});

test('a delivery that is no JSON is refused, and one of a plugin that is not configured is ignored', async () => {
  const stage = await openStage();
  const delivery = { headers: {}, rawBody: Buffer.from('{'), receivedAt: 0, rule: null };
  const outcomes = [
    await stage.webhooks.forwarded({ ...delivery, pluginId: 'github' }),
    await stage.webhooks.forwarded({ ...delivery, pluginId: 'unheard-of' }),
  ];
  assert.equal(
    outcomes.map(({ outcome }) => outcome),
    ['refused', 'taken'],
  );
});

test('a delivery of a plugin whose settings are being changed is wanted again', async () => {
  const stage = await openStage();
  const delivery = { headers: {}, rawBody: Buffer.from('{}'), receivedAt: 0, rule: null };
  const forwarded = await stage.webhooks.forwarded({ ...delivery, pluginId: 'changing' });
  assert.is(forwarded.outcome, 'later');
  const refusal = await catchRefusal(() => stage.webhooks.webhook('changing', delivery));
  assert.equal([refusal.code, refusal.status], ['temporarily-unavailable', 503]);
  const unknown = await catchRefusal(() => stage.webhooks.webhook('unheard-of', delivery));
  assert.is(unknown.code, 'not-found');
});

test('a challenge that an earlier control plane forwards is taken, and nothing is remembered of it', async () => {
  const stage = await openStage();
  const rawBody = createSlackChallenge('a-challenge');
  const receivedAt = stage.clock.now();
  const headers = signAsSlack(rawBody, HOOK_SECRET, receivedAt);
  const delivery = { pluginId: 'slack', headers, rawBody, receivedAt, rule: null };
  assert.equal(await stage.webhooks.forwarded(delivery), { outcome: 'taken' });
  assert.is(stage.rows.count('webhook_deliveries'), 0);
});

test('a challenge is answered each time that it comes, and nothing is remembered of it', async () => {
  const stage = await openStage();
  const rawBody = createSlackChallenge('a-challenge');
  const headers = signAsSlack(rawBody, HOOK_SECRET, stage.clock.now());
  for (const _ of ['once', 'again'])
    assert.is(
      (await stage.webhooks.webhook('slack', { headers, rawBody })).challenge,
      'a-challenge',
    );
  assert.equal([stage.rows.count('webhook_deliveries'), stage.commits], [0, []]);
});

test('a forge is polled every ten minutes while its webhooks come, and as before an hour after the last one', () => {
  const clock = new SimulatedClock();
  let changes = 0;
  const pace = new WebhookPace(clock, () => {
    changes += 1;
  });
  const slowDown = (forge: string) => pace.slow(forge, 60_000);
  pace.note('github');
  assert.equal([slowDown('github'), slowDown('gitlab')], [WEBHOOK_POLL_MS, 60_000]);
  clock.advance(50 * 60_000);
  pace.note('github');
  clock.advance(50 * 60_000);
  assert.equal([slowDown('github'), changes], [WEBHOOK_POLL_MS, 1]);
  clock.advance(10 * 60_000);
  assert.equal([slowDown('github'), changes], [60_000, 2]);
  pace.note('github');
  assert.is(pace.slow('github', 20 * 60_000), 20 * 60_000);
  pace.stop();
});

test.run();
