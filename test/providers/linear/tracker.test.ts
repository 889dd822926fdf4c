import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { readLinearSettings } from '../../../src/providers/linear/plugin.ts';
import { createLinearTracker } from '../../../src/providers/linear/tracker/tracker.ts';
import { FakeLinear } from '../../support/forges/fakeTrackers/fakeLinear.ts';
import { trackerStage } from '../../support/forges/trackerStage.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('trackers: Linear');

const API = 'http://127.0.0.1:9';

function stage(config: Record<string, string> = {}) {
  const it = trackerStage((clock) => new FakeLinear(clock));
  const apiKey = config.apiKey ?? 'lin_api_key';
  it.fake.store.addUser(apiKey.replace(/^Bearer /, ''), 'svc');
  const settings = readLinearSettings({ baseUrl: API, ...config, apiKey });
  const tracker = createLinearTracker({ settings, accountClient: it.accountClient });
  return { ...it, store: it.fake.store, tracker };
}

test('a search with a team finds issues of this team alone, with words and without (TOOL-8)', async () => {
  const it = stage({ teamKey: 'ENG' });
  it.store.addIssue('OPS-1', 'Add a note', 'ops');
  it.store.addIssue('ENG-1', 'Add a note', 'eng');
  for (const words of ['note', '']) {
    const issues = await it.settled(it.tracker.search(words, 5));
    assert.equal(
      issues.map(({ key }) => key),
      ['ENG-1'],
    );
  }
});

test('a search without a team finds issues of all of them', async () => {
  const it = stage();
  it.store.addIssue('OPS-1', 'Add a note', 'ops', { updatedAt: it.clock.now() + 1 });
  it.store.addIssue('ENG-1', 'Add a note', 'eng');
  const issues = await it.settled(it.tracker.search('note', 5));
  assert.equal(
    issues.map(({ key }) => key),
    ['OPS-1', 'ENG-1'],
  );
});

test('the 31st search of a minute waits for the next one, and only searches do', async () => {
  const it = stage();
  it.store.addIssue('ENG-1', 'Add a note', '');
  const began = it.clock.now();
  for (let n = 0; n < 30; n += 1) await it.settled(it.tracker.search('note', 1));
  assert.is((await it.settled(it.tracker.issue('ENG-1'))).key, 'ENG-1');
  assert.is(it.clock.now(), began);
  await it.settled(it.tracker.search('note', 1));
  assert.equal(it.fake.searches.length, 31);
  assert.equal(it.clock.now() - began, 60_000);
});

test('searches that would wait too long are refused with a time', async () => {
  const it = stage();
  const search = async (): Promise<string> => {
    try {
      await it.tracker.search('note', 1);
      return 'found';
    } catch (error) {
      return error instanceof SvcError ? `${error.code}: ${error.message}` : String(error);
    }
  };
  const answers = await it.settled(Promise.all(Array.from({ length: 61 }, search)));
  const refused = answers.filter((one) => one !== 'found');
  assert.is(refused.length, 1);
  assert.match(
    refused[0] ?? '',
    /^rate-limited: the fake accepts no more requests for searches from this account\. Try again after 2026-/,
  );
});

test('searches that others made with the key hold searches, and nothing else', async () => {
  const it = stage();
  it.store.addIssue('ENG-1', 'Add a note', '');
  const now = it.clock.now();
  it.fake.searches.push(...Array.from({ length: 30 }, () => now));
  const search = it.tracker.search('note', 1);
  assert.is((await it.tracker.issue('ENG-1')).key, 'ENG-1');
  assert.is(it.clock.now(), now);
  assert.is((await it.settled(search)).length, 1);
});

test('an API key goes alone, an access token of OAuth behind "Bearer", however it is typed', async () => {
  for (const [typed, authorization] of [
    ['lin_api_1', 'lin_api_1'],
    ['Bearer lin_api_1', 'lin_api_1'],
    ['lin_oauth_1', 'Bearer lin_oauth_1'],
    ['bearer lin_oauth_1', 'Bearer lin_oauth_1'],
    ['Bearer another', 'Bearer another'],
    ['another', 'another'],
  ] as const)
    assert.is(readLinearSettings({ apiKey: typed }).authorization, authorization);
  for (const apiKey of ['lin_api_1', 'lin_oauth_1', 'Bearer lin_oauth_1']) {
    const it = stage({ apiKey });
    assert.is((await it.settled(it.tracker.healthcheck())).ok, true, apiKey);
  }
});

test('an answer without a part that may be missing is an answer; without the issue it is a refusal', async () => {
  const it = stage();
  const issue = it.store.addIssue('ENG-1', 'Add a note', '');
  it.store.addComment(issue, 'ann', 'one');
  it.fake.broken.set('user', 'You may not see this user');
  const [comment] = await it.settled(it.tracker.comments('ENG-1'));
  assert.equal(comment?.author, 'unknown');
  assert.equal(comment?.body, 'one');
  it.fake.broken.set('issue', 'You may not see this issue');
  assert.is(await codeOfRefusal(() => it.settled(it.tracker.issue('ENG-1'))), 'forbidden');
});

test('an issue without a description and comments of deleted accounts and integrations are read', async () => {
  const it = stage();
  const issue = it.store.addIssue('ENG-1', 'Add a note', '');
  it.store.addComment(issue, '', 'from an integration');
  assert.is((await it.settled(it.tracker.issue('ENG-1'))).body, '');
  assert.is((await it.settled(it.tracker.comments('ENG-1')))[0]?.author, 'unknown');
});

test('an issue that is archived or in the trash is marked, whatever its status', async () => {
  const it = stage();
  for (const key of ['ENG-1', 'ENG-2', 'ENG-3']) it.store.addIssue(key, 'A', '');
  const archivedAt = '2026-01-01T00:00:00.000Z';
  it.fake.archived.set('ENG-2', { archivedAt, trashed: null });
  it.fake.archived.set('ENG-3', { archivedAt, trashed: true });
  const states = [];
  for (const key of ['ENG-1', 'ENG-2', 'ENG-3'])
    states.push((await it.settled(it.tracker.issue(key))).gone);
  assert.equal(states, [undefined, 'archived', 'trashed']);
});

test.run();
