import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../src/base/errors/errors.ts';
import {
  Deliveries,
  toDeliveredEvent,
  MAX_WAITING,
} from '../../src/plugins/installedTracker/deliveries.ts';
import { createInstalledTracker } from '../../src/plugins/installedTracker/tracker.ts';
import type { TrackerCall } from '../../src/plugins/process/protocol.ts';
import { toCommentEvent } from '../../src/providers/hooks/event.ts';
import { codeOfRefusal, catchRefusal } from '../support/refusal.ts';

const test = suite('plugins: an installed tracker as jobs use it');

const ISSUE = { key: 'BOARD-7', title: 'T', body: 'B', status: 'done', url: 'http://board/7' };

test('fields of a transition reach the plugin; without them it is called as it was before there were any', async () => {
  const calls: TrackerCall[] = [];
  const tracker = createInstalledTracker({
    mayAct: mayAlwaysAct,
    id: 'board',
    issueAt: false,
    ask: async (call) => {
      calls.push(call);
      return ISSUE;
    },
    screen: (text) => text,
  });
  const actor = { at: 0, operationId: 'op-1' };
  const args = { key: 'BOARD-7', status: 'done' };
  await tracker.write('transition_issue', args, actor);
  await tracker.write('transition_issue', { ...args, fields: {} }, actor);
  await tracker.write('transition_issue', { ...args, fields: { Reason: 'x' } }, actor);
  assert.equal(
    calls.map((call) => call.args),
    [
      ['BOARD-7', 'done', 'op-1'],
      ['BOARD-7', 'done', 'op-1'],
      ['BOARD-7', 'done', 'op-1', { Reason: 'x' }],
    ],
  );
});

const createTracker = (answer: (call: TrackerCall) => unknown, issueAt = true) => {
  const calls: unknown[] = [];
  const tracker = createInstalledTracker({
    mayAct: mayAlwaysAct,
    id: 'board',
    issueAt,
    async ask(call) {
      calls.push([call.method, call.args[0]]);
      return answer(call);
    },
    screen: (text) => text.replaceAll('canary', '[secret]'),
  });
  return { tracker, calls };
};
const PAGE = 'http://board/7';

test('a ticket may be given by its address: the plugin says which one it is', async () => {
  const { tracker, calls } = createTracker(({ method }) =>
    method === 'issueAt' ? 'BOARD-7' : ISSUE,
  );
  await tracker.issue(PAGE);
  await tracker.transition(PAGE, 'done', 'op-1');
  assert.equal(calls, [
    ['issueAt', PAGE],
    ['issue', 'BOARD-7'],
    ['issueAt', PAGE],
    ['transition', 'BOARD-7'],
  ]);
});

test('an address of no ticket is refused as one that is not there, also by a plugin that tells no addresses', async () => {
  const none = await catchRefusal(() => createTracker(() => null).tracker.issue(PAGE));
  assert.equal(
    [none.code, none.message],
    ['not-found', `${PAGE} is not the address of a ticket of board.`],
  );
  const { tracker } = createTracker(() => {
    throw new SvcError('not-found', 'no such issue.');
  }, false);
  assert.match(
    (await catchRefusal(() => tracker.issue(PAGE))).message,
    /no such issue\. Name the ticket by its key/,
  );
  assert.is((await catchRefusal(() => tracker.issue('BOARD-8'))).message, 'no such issue.');
});

const SAID = {
  key: 'BOARD-7',
  id: '1',
  author: 'ann',
  body: 'Why?',
  at: '2026-01-01T00:00:00Z',
  own: false,
};

test('what a plugin makes of a delivery is held to the contract, and secrets are taken out of it', async () => {
  const readReported = (answer: unknown) => createTracker(() => answer).tracker.readReported({});
  assert.is((await readReported({ ...SAID, body: 'canary' }))?.body, '[secret]');
  assert.is(await readReported(null), null);
  assert.is(await readReported(undefined), null);
  for (const wrong of [
    'BOARD-7',
    { ...SAID, own: undefined },
    { ...SAID, id: '' },
    { ...SAID, key: 'https://board/7' },
    { ...SAID, key: 'BOARD 7' },
    { ...SAID, url: 'javascript:alert(1)' },
  ])
    assert.is(await codeOfRefusal(() => readReported(wrong)), 'invalid', JSON.stringify(wrong));
});

test('a comment that is reported is one on the ticket of its key, by the account that is named', () => {
  const event = toDeliveredEvent({
    ...SAID,
    authorId: 'u-1',
    member: true,
    url: 'https://board/7#1',
  });
  assert.equal(
    [event.ref, event.number, event.identities, event.member, event.bot, event.own],
    ['BOARD-7', 7, ['u-1'], true, false, false],
  );
  assert.equal(event.happenedAt, Date.parse(SAID.at));
  const bare = toDeliveredEvent({ ...SAID, key: 'welcome', at: 'yesterday' });
  assert.equal([bare.identities, bare.member, bare.happenedAt], [['ann'], false, null]);
  assert.is(toCommentEvent('board', bare, 5)?.prId, 'board:welcome');
});

test('deliveries are read a few at once; too many, and those that cannot be read, are to be sent again without a word of the plugin’s', async () => {
  const waiting: (() => void)[] = [];
  const faults: string[] = [];
  let fails = false;
  const deliveries = new Deliveries({
    id: 'board',
    async ask() {
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (fails) throw new SvcError('forbidden', 'the server says: canary');
      return SAID;
    },
    onFault: (what) => void faults.push(what),
  });
  const all = Array.from({ length: MAX_WAITING + 2 }, () => deliveries.eventIn({}));
  assert.is(waiting.length, 2);
  const more = await catchRefusal(() => deliveries.eventIn({}));
  assert.equal(
    [more.code, more.message],
    ['unreachable', 'board has too many deliveries to read now; send it again.'],
  );
  for (const _ of all) {
    waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(waiting.length <= 2);
  }
  assert.equal(new Set((await Promise.all(all)).map((event) => event?.ref)), new Set(['BOARD-7']));
  fails = true;
  const failing = catchRefusal(() => deliveries.eventIn({}));
  waiting.shift()?.();
  assert.is((await failing).code, 'unreachable');
  assert.not.match((await failing).message, /canary/);
  assert.equal(faults, ['A delivery could not be read: the server says: canary']);
});

test.run();
