import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTeamWebhooks } from '../../../src/host/start/teamWebhooks.ts';
import { listHookedPlugins } from '../../../src/forges/listHookedPlugins.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('webhooks of a team, as a runner sees them');

const CLAIM = { rule: 'bugs', pluginId: 'github', hash: 'sha256:0', subject: null };

function openStage() {
  const state = {
    isPaired: true,
    isStarted: true,
    link: null as { askClaim(): Promise<string | null> } | null,
  };
  const webhooks = createTeamWebhooks({
    isPaired: () => state.isPaired,
    isStarted: () => state.isStarted,
    link: () => state.link,
  });
  const runner = webhooks.connect({ takeForwarded: async () => ({ outcome: 'taken' }) });
  return { state, webhooks, runner };
}

test('without a team a rule may always create its job, and nothing is forwarded', async () => {
  const { state, webhooks } = openStage();
  state.isPaired = false;
  assert.is(await webhooks.askClaim(CLAIM), null);
  assert.is(webhooks.isForwarded('github'), false);
});

test('away from the control plane no rule creates a job (EVT-3)', async () => {
  const { state, webhooks } = openStage();
  assert.is(await codeOfRefusal(() => webhooks.askClaim(CLAIM)), 'cloud-unreachable');
  state.link = { askClaim: async () => 'another runner creates it' };
  assert.is(await webhooks.askClaim(CLAIM), 'another runner creates it');
});

test('the plugins that the control plane names are forwarded; until it has named some, all are', () => {
  const { state, webhooks, runner } = openStage();
  state.link = { askClaim: async () => null };
  const listForwarded = () => ['github', 'jira'].filter((id) => webhooks.isForwarded(id));
  assert.equal(listForwarded(), ['github', 'jira']);
  runner.takeSenders(['github']);
  assert.equal(listForwarded(), ['github']);
  // The control plane of another team has not said anything yet.
  state.link = { askClaim: async () => null };
  assert.equal(listForwarded(), ['github', 'jira']);
});

test('a delivery that comes before the jobs are back is wanted later', async () => {
  const { state, runner } = openStage();
  const delivery = { pluginId: 'github', headers: {}, rawBody: new Uint8Array(), receivedAt: 0 };
  state.isStarted = false;
  assert.is((await runner.take({ ...delivery, rule: null })).outcome, 'later');
  state.isStarted = true;
  assert.is((await runner.take({ ...delivery, rule: null })).outcome, 'taken');
});

test('webhooks reach a runner by a secret of its own, or through its team', () => {
  const hook = Object.create(null);
  const remote = { webhooks: { github: hook }, forwardedWebhooks: { github: hook, jira: hook } };
  assert.equal(listHookedPlugins(remote), ['github']);
  assert.equal(listHookedPlugins({ ...remote, isForwarded: () => true }), ['github', 'jira']);
});

test.run();
