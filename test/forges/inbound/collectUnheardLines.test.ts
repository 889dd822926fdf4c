import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuthoredEvent } from '../../../src/contract/forge/forge.ts';
import { toDeliveredEvent } from '../../../src/plugins/installedTracker/deliveries.ts';
import { collectUnheardLines } from '../../../src/forges/inbound/collectUnheardLines.ts';
import { parseWakeRules } from '../../../src/providers/rest/wakeRules.ts';
import { webhookStage } from '../../support/forges/webhookStage.ts';

const test = suite('the log of a job says why a comment does not reach it');

const comment = (more: Partial<AuthoredEvent> = {}): AuthoredEvent => ({
  own: false,
  bot: false,
  member: false,
  ...more,
  event: {
    kind: 'commented',
    forge: 'hub',
    repo: 'acme/app',
    number: 12,
    prId: 'hub:acme/app#12',
    author: 'zoe',
    text: 'Ship it.',
    url: '',
    externalId: 'e',
    happenedAt: 0,
  },
});
const deps = {
  rows: { count: () => 0 },
  place: () => ({ phase: 'coding', visit: 3 }),
  now: () => 0,
};
const collectLines = (news: readonly AuthoredEvent[], rules = parseWakeRules('', '')) =>
  collectUnheardLines(
    deps,
    news.map((one) => ({ jobId: 'job', one })),
    rules,
  ).frames;
const collectTexts = (...args: Parameters<typeof collectLines>) =>
  collectLines(...args).map(({ frame }) => Object(frame.data).line);

test('who is not a member is named, with the setting that would let them be heard', () => {
  const [frame, ...others] = collectLines([comment()]);
  assert.equal(frame, {
    actor: 'job',
    frame: {
      kind: 'log',
      data: {
        at: '1970-01-01T00:00:00.000Z',
        phase: 'coding',
        visit: 3,
        from: 'runner',
        tag: 'event',
        line: 'commented on hub:acme/app#12 by zoe does not reach this job: zoe is not a member (wakeAuthors of hub can name others)',
      },
    },
  });
  assert.equal(others, []);
});

test('so is who is ignored, and who is not among those named', () => {
  assert.match(
    collectTexts([comment()], parseWakeRules('', 'zoe'))[0],
    /: ignoreAuthors of hub names zoe$/,
  );
  assert.match(
    collectTexts([comment()], parseWakeRules('ann', ''))[0],
    /: wakeAuthors of hub does not name zoe$/,
  );
});

test('an author whose name others can take is named with the id that the settings compare', () => {
  assert.match(
    collectTexts([comment({ identities: ['u-zoe'] })])[0],
    /by zoe does not reach this job: zoe \(u-zoe\) is not a member/,
  );
});

test('nothing is said of what is heard, of svc itself and of programs', () => {
  assert.equal(collectTexts([comment({ member: true })]), []);
  assert.equal(collectTexts([comment({ own: true })]), []);
  assert.equal(collectTexts([comment({ bot: true })]), []);
});

test('of many at once ten have a line, the others are counted', () => {
  const lines = collectTexts(Array.from({ length: 13 }, () => comment()));
  assert.is(lines.length, 11);
  assert.is(lines.at(-1), '3 more like it do not reach this job');
});

test('a comment of an outsider on a ticket leaves a line with the jobs of that ticket, once', async () => {
  const it = await webhookStage();
  const job = await it.job({ jiraTicketId: 'MT-1', trackerProvider: 'tick' });
  const other = await it.job({ jiraTicketId: 'MT-2', trackerProvider: 'tick' });
  it.translate = async () =>
    toDeliveredEvent({
      key: 'MT-1',
      id: '1',
      author: 'Zoe',
      body: 'Ship it.',
      at: '2026-01-01T00:00:00Z',
      own: false,
      member: false,
    });
  await it.tick({ n: 1 });
  // The same comment in another delivery.
  await it.tick({ n: 2 });
  const line =
    '[event] commented on tick:MT-1 by Zoe does not reach this job: Zoe is not a member (wakeAuthors of tick can name others)';
  assert.equal(
    it.log(job).filter((one) => one.startsWith('[event]')),
    [line],
  );
  assert.equal(
    it.log(other).filter((one) => one.startsWith('[event]')),
    [],
  );
  await it.end();
});

test.run();
