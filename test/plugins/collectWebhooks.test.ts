import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { ConfiguredForge } from '../../src/plugins/builtInForges.ts';
import type { ConfiguredTracker } from '../../src/plugins/builtInTrackers.ts';
import { explainNoWebhooks } from '../../src/plugins/explainNoWebhooks.ts';
import { collectWebhooks } from '../../src/plugins/collectWebhooks.ts';
import { bareEvent } from '../../src/providers/hooks/event.ts';
import type { PluginView } from '../../src/contract/schema/runner/plugin.ts';
import { parseWakeRules } from '../../src/providers/rest/wakeRules.ts';
import { codeOfRefusal } from '../support/refusal.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';

const test = suite('plugins: whose webhooks are taken');

const webhook = () => ({ id: 'd', subject: null, event: null });

const forge = (self: () => Promise<string | null>, more: Partial<ConfiguredForge> = {}) => {
  const watch = { intervalMs: 1, rules: parseWakeRules('ann', '') };
  return {
    id: 'github',
    forge: { self, capabilities: { remote: true } },
    problem: null,
    watch,
    webhook,
    selfIsPerson: true,
    ...more,
  } as ConfiguredForge;
};
const tracker = (
  ownIds: () => Promise<readonly string[]>,
  more: Partial<ConfiguredTracker> = {},
) => {
  const config = { wakeAuthors: 'a1, a2', ignoreAuthors: 'a3' };
  return {
    id: 'jira',
    configured: true,
    problem: null,
    tracker: { ownIds },
    webhook,
    config,
    ...more,
  } as ConfiguredTracker;
};

test('forges with a secret take webhooks, by their own rules; no others do', async () => {
  const none = [
    forge(async () => 'svc', { id: 'gitlab', webhook: null }),
    forge(async () => 'svc'),
  ];
  const hooks = collectWebhooks(
    none,
    [tracker(async () => ['id-1']), tracker(async () => [], { id: 'linear', webhook: null })],
    new SimulatedClock(),
  );
  assert.equal(Object.keys(hooks), ['github', 'jira']);
  assert.equal(hooks.github?.rules, parseWakeRules('ann', ''));
  assert.equal(hooks.github?.selfIsPerson, true);
  assert.equal(hooks.jira?.rules, parseWakeRules('a1,a2', 'a3'));
  assert.equal(hooks.jira?.selfIsPerson, false);
  assert.equal(await hooks.github?.ownIds(), ['svc']);
  assert.equal(await hooks.jira?.ownIds(), ['id-1']);
});

test('a tracker that knows its people is asked about the author of a delivery; another one is not', async () => {
  const event = { ...bareEvent, event: '', author: 'Ann', repo: 'SHOP', identities: ['a1'] };
  const queries: (readonly string[])[] = [];
  const isMember = async (identities: readonly string[]) => {
    queries.push(identities);
    return true;
  };
  const knows = tracker(async () => []);
  Object.assign(knows.tracker ?? {}, { isMember });
  const clock = new SimulatedClock();
  const { jira, linear } = collectWebhooks(
    [],
    [knows, tracker(async () => [], { id: 'linear' })],
    clock,
  );
  assert.is(await jira?.isMember?.(event), true);
  assert.equal(queries, [['a1']]);
  assert.equal(linear?.isMember, undefined);
});

test('who svc is, is asked until it was answered once', async () => {
  let calls = 0;
  const ownIds = async () => {
    calls += 1;
    if (calls === 1) throw new Error('no network');
    return ['id-1'];
  };
  const { jira } = collectWebhooks([], [tracker(ownIds)], new SimulatedClock());
  await jira?.ownIds().then(
    () => assert.unreachable('it was answered'),
    () => undefined,
  );
  for (let n = 0; n < 3; n += 1) assert.equal(await jira?.ownIds(), ['id-1']);
  assert.is(calls, 2);
});

test('a forge that does not answer is not waited for, since the mark tells; a tracker without an answer has the delivery sent again', async () => {
  const clock = new SimulatedClock();
  const never = () => new Promise<never>(() => undefined);
  const { github, jira } = collectWebhooks([forge(never)], [tracker(never)], clock);
  const own = [github?.ownIds(), codeOfRefusal(() => jira?.ownIds())];
  clock.advance(3_000);
  assert.equal(await Promise.all(own), [[], 'unreachable']);
});

test('a forge that can be asked says who belongs to a repository; without an answer within three seconds the delivery is to be sent again', async () => {
  const clock = new SimulatedClock();
  const event = { author: 'dora', repo: 'acme/shop', identities: ['dora'] } as never;
  const createSource = (isMember: () => Promise<boolean>) =>
    collectWebhooks(
      [
        forge(async () => 'svc', {
          forge: { capabilities: { remote: true }, isMember, self: async () => 'svc' } as never,
        }),
      ],
      [],
      clock,
    ).github;
  assert.is(await createSource(async () => true)?.isMember?.(event), true);
  const limited = new SvcError('rate-limited', 'Too many requests.');
  const refused = codeOfRefusal(() =>
    createSource(() => Promise.reject(limited))?.isMember?.(event),
  );
  assert.is(await refused, 'unreachable');
  const late = codeOfRefusal(() =>
    createSource(() => new Promise(() => undefined))?.isMember?.(event),
  );
  clock.advance(3_000);
  assert.is(await late, 'unreachable');
  assert.is(collectWebhooks([forge(async () => 'svc')], [], clock).github?.isMember, undefined);
});

test('the sender to a plugin that takes no webhooks is answered why; only what can be set is named', () => {
  const view = (id: string, settings: PluginView['settings'], more: Partial<PluginView> = {}) =>
    ({ id, settings, origin: 'installed', ...more }) as PluginView;
  const secret = { type: 'string', description: 'The secret.' } as const;
  const plugins = [
    view('hub', { webhookSecret: secret }),
    view('greeter', {}),
    view('command', {}, { origin: 'built-in' }),
    view('gone', {}, { origin: 'leftover' }),
  ];
  const why = (id: string) =>
    explainNoWebhooks(id, plugins).replace(`Webhooks for ${id} are not accepted: `, '');
  assert.is(
    why('hub'),
    'set plugins.installed.hub.config.webhookSecret. If it is set, svc plugin list shows why hub cannot be used.',
  );
  assert.is(why('greeter'), 'the plugin takes none (its manifest declares no webhook).');
  assert.is(why('command'), 'the plugin takes none.');
  assert.is(why('gone'), 'there is no plugin with this id.');
  assert.is(why('unknown'), 'there is no plugin with this id.');
});

test.run();
