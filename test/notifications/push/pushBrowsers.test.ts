import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MOST_BROWSERS } from '../../../src/base/settings/notificationKinds.ts';
import type { SendOutcome } from '../../../src/notifications/channels/channel.ts';
import { createNotifications } from '../../../src/notifications/createNotifications.ts';
import { splitByBrowser } from '../../../src/notifications/push/browserChannels.ts';
import { FakeBrowser } from '../../support/notifications/fakePushService.ts';
import { codeOfRefusal } from '../../support/refusal.ts';
import { HeldChannel, makeRule, openNotifierStage } from '../notifierStage.ts';

const test = suite('notifications: browsers');

const makeSubscription = (name: string) =>
  new FakeBrowser(`/send/${name}`, Buffer.alloc(16, 2)).toSubscription('https://push.example.com');

/** The channel `phones` of web push, whose browsers answer as `answers` says. */
async function openStage(...answers: SendOutcome[]) {
  const stage = await openNotifierStage([makeRule('phones'), makeRule('chat')]);
  const settings = {
    ...stage.settings,
    channels: { ...stage.settings.channels, phones: { type: 'web-push' as const, enabled: true } },
  };
  const phone = new HeldChannel(false);
  phone.answers.push(...answers);
  const openedChannels: string[] = [];
  const openChannel = (name: string) => {
    openedChannels.push(name);
    return phone;
  };
  const { rows } = stage.store;
  const notifications = createNotifications({
    rows,
    writeRows: stage.writeRows,
    pushKeys: async () => ({ publicKey: 'public', privateKey: 'private' }),
    now: () => stage.clock.now(),
    nextId: () => '1',
    settings: () => settings,
    openChannel,
    screen: (text) => text,
    baseUrl: () => 'http://svc',
  });
  const openNotifier = () =>
    stage.open({
      settings: () => splitByBrowser(settings, rows.all('push_subscriptions')),
      openChannel: (name) => (name === 'chat' ? stage.chat : openChannel(name)),
    });
  return { ...stage, rows, settings, notifications, phone, openedChannels, openNotifier };
}

test('a browser is shown by its name and its service, without its address', async () => {
  const { notifications } = await openStage();
  const subscription = makeSubscription('secret');
  const { id, ...browser } = await notifications.subscribe('phones', subscription);
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal(browser, {
    label: 'Chrome on Android',
    service: 'push.example.com',
    since: new Date(0).toISOString(),
    lastSentAt: null,
    problem: null,
    retryAt: null,
  });
  const text = JSON.stringify(notifications.channels());
  for (const secret of ['/send/secret', subscription.keys.auth]) assert.not.match(text, secret);
});

test('a browser that is turned on again is the same one', async () => {
  const { notifications, rows } = await openStage();
  const subscription = makeSubscription('a');
  await notifications.subscribe('phones', subscription);
  await notifications.subscribe('phones', { ...subscription, label: 'Firefox' });
  assert.equal(
    rows.all('push_subscriptions').map(({ label }) => label),
    ['Firefox'],
  );
});

test('only a web push channel that exists has browsers', async () => {
  const { notifications } = await openStage();
  const subscription = makeSubscription('a');
  assert.is(await codeOfRefusal(() => notifications.subscribe('x', subscription)), 'not-found');
  assert.is(
    await codeOfRefusal(() => notifications.subscribe('chat', subscription)),
    'bad-argument',
  );
});

test('above the limit no browser is turned on', async () => {
  const { notifications } = await openStage();
  for (let n = 0; n < MOST_BROWSERS; n += 1)
    await notifications.subscribe('phones', makeSubscription(String(n)));
  assert.is(
    await codeOfRefusal(() => notifications.subscribe('phones', makeSubscription('more'))),
    'conflict',
  );
});

test('a browser that is turned off gets nothing, nor what waited for it', async () => {
  const { notifications, openNotifier, note, pass, rows, phone } = await openStage();
  const { id } = await notifications.subscribe('phones', makeSubscription('a'));
  await openNotifier().start();
  await note('x');
  await pass(1_000);
  assert.is(rows.count('notification_messages', { state: 'waiting' }), 2);
  await notifications.unsubscribe('phones', id);
  await pass(60_000);
  assert.equal(phone.sent, []);
  assert.equal(
    rows.all('notification_messages').map(({ channel }) => channel),
    ['chat'],
  );
  assert.is(await codeOfRefusal(() => notifications.unsubscribe('phones', id)), 'not-found');
});

test('each browser gets each message once, and one that is gone is forgotten', async () => {
  const stage = await openStage({ is: 'gone', problem: 'answered 410' });
  const { notifications, openNotifier, note, pass, rows, phone } = stage;
  for (const name of ['a', 'b']) await notifications.subscribe('phones', makeSubscription(name));
  await openNotifier().start();
  await note('x');
  await pass(31_000);
  assert.equal(phone.facts, [['x'], ['x']]);
  assert.is(rows.count('push_subscriptions'), 1);
  await note('y');
  await pass(31_000);
  assert.equal(phone.facts, [['x'], ['x'], ['y']]);
});

test('a browser whose service is busy waits alone', async () => {
  const busy = { is: 'refused', problem: 'answered 429', final: false, retryAfterMs: 300_000 };
  const { notifications, openNotifier, note, pass, phone } = await openStage(
    busy as Extract<SendOutcome, { is: 'refused' }>,
  );
  for (const name of ['a', 'b']) await notifications.subscribe('phones', makeSubscription(name));
  await openNotifier().start();
  await note('x');
  await pass(100_000);
  assert.is(phone.sent.length, 2);
  const [channel] = notifications.channels().channels.filter(({ name }) => name === 'phones');
  assert.equal(
    [channel?.state, channel?.problem, channel?.waiting],
    ['failing', 'answered 429', 1],
  );
  assert.equal(channel?.browsers.map(({ problem }) => problem).sort(), ['answered 429', null]);
  await pass(260_000);
  assert.is(phone.sent.length, 3);
});

test('a test reaches every browser, and says where none is turned on', async () => {
  const { notifications, phone, rows } = await openStage(
    { is: 'delivered' },
    { is: 'gone', problem: 'answered 410' },
  );
  assert.is((await notifications.test('phones')).delivered, false);
  for (const name of ['a', 'b']) await notifications.subscribe('phones', makeSubscription(name));
  const { delivered, problem } = await notifications.test('phones');
  assert.equal([delivered, problem], [false, 'answered 410']);
  assert.is(phone.sent.length, 2);
  assert.is(rows.count('push_subscriptions'), 1);
});

test('the private key is in no reply', async () => {
  const { notifications } = await openStage();
  assert.equal(await notifications.pushKey(), { publicKey: 'public' });
});

test('a browser with a new address stays the same one, and gets what waits for it', async () => {
  const stage = await openStage();
  const { notifications, rows } = stage;
  const { id: formerId } = await notifications.subscribe('phones', makeSubscription('a'));
  await stage.openNotifier().start();
  await stage.note('f1');
  await stage.pass(1_000);
  await notifications.subscribe('phones', { ...makeSubscription('b'), replaces: formerId });
  // The upkeep of the next minute finds the channel of the new address.
  await stage.pass(61_000);
  assert.equal(
    rows.all('push_subscriptions').map(({ endpoint }) => endpoint),
    ['https://push.example.com/send/b'],
  );
  assert.equal(stage.phone.facts, [['f1']]);
  const [browser] = notifications.channels().channels.flatMap(({ browsers }) => browsers);
  assert.not.equal(browser?.lastSentAt, null);
});

test('what a browser shows is changed under its new address too', async () => {
  const stage = await openStage();
  const { notifications, rows, writeRows } = stage;
  const { id: formerId } = await notifications.subscribe('phones', makeSubscription('a'));
  const row = { fact: 'f1', message: 'm1', channel: `phones/${formerId}`, settled: 0 };
  await writeRows([{ op: 'put', table: 'notification_shown', row }]);
  const { id } = await notifications.subscribe('phones', {
    ...makeSubscription('b'),
    replaces: formerId,
  });
  assert.equal(rows.all('notification_shown'), [{ ...row, channel: `phones/${id}` }]);
});

test('a browser that a person has turned off does not come back under a new address', async () => {
  const { notifications, rows } = await openStage();
  const { id } = await notifications.subscribe('phones', makeSubscription('a'));
  await notifications.unsubscribe('phones', id);
  assert.is(
    await codeOfRefusal(() =>
      notifications.subscribe('phones', { ...makeSubscription('b'), replaces: id }),
    ),
    'not-found',
  );
  assert.is(rows.count('push_subscriptions'), 0);
});

test('a new address in the own network is refused as for a new browser, and the former one stays', async () => {
  const { notifications, rows } = await openStage();
  const { id } = await notifications.subscribe('phones', makeSubscription('a'));
  const inner = { ...makeSubscription('b'), endpoint: 'https://169.254.169.254/send/b' };
  assert.is(
    await codeOfRefusal(() => notifications.subscribe('phones', { ...inner, replaces: id })),
    'bad-argument',
  );
  assert.equal(
    rows.all('push_subscriptions').map((one) => one.id),
    [id],
  );
});

test.run();
