import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markdownToAdf } from '../../../src/providers/jira/tracker/markdownToAdf.ts';
import { jiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { CLOUD_ID, FakeJira } from '../../support/forges/fakeTrackers/fakeJira.ts';
import { trackerStage } from '../../support/forges/trackerStage.ts';
import { refusalOf } from '../../support/refusal.ts';

const test = suite('trackers: Jira');

const BASE = 'http://127.0.0.1:9';
const TOKEN = 'tracker-secret';

function stage(version: 2 | 3, config: Record<string, string> = {}, scopes?: readonly string[]) {
  const it = trackerStage((clock) => new FakeJira(version, clock));
  it.fake.store.addUser(TOKEN, 'svc', scopes ? { scopes } : {});
  const username = version === 3 ? 'svc@example.test' : '';
  const settings = jiraSettings({ baseUrl: BASE, token: TOKEN, username, ...config });
  const tracker = createJiraTracker({ settings, accountClient: it.accountClient });
  const text = version === 3 ? markdownToAdf : (words: string) => words;
  it.fake.store.addIssue('SHOP-1', 'Add a note', text('x'));
  return { ...it, tracker };
}

for (const version of [2, 3] as const) {
  test(`version ${version}: a search for a key finds that issue, and nothing where there is none (TOOL-8)`, async () => {
    const { tracker, settled } = stage(version);
    const found = await settled(tracker.search('shop-1', 5));
    assert.equal(
      found.map(({ key }) => key),
      ['SHOP-1'],
    );
    assert.equal(await settled(tracker.search('ZZ-9', 5)), []);
  });
}

const SCOPES = ['read:jira-work', 'write:jira-work', 'read:jira-user'];
const SITE = 'https://acme.atlassian.net';

for (const [name, config] of [
  ['the id that is configured', { cloudId: CLOUD_ID }],
  ['the id that the site names', { cloudId: 'auto' }],
  ['the address of the API', { apiUrl: `https://api.atlassian.com/ex/jira/${CLOUD_ID}` }],
  ['the token alone, of a service account', { cloudId: 'auto', username: '' }],
] as const) {
  test(`a token with scopes works at the gateway by ${name}; people are shown the site (TOOL-8)`, async () => {
    const { tracker, settled, sent } = stage(3, { baseUrl: SITE, ...config }, SCOPES);
    assert.is(
      (await settled(tracker.healthcheck())).detail,
      'Logged in as svc at acme.atlassian.net.',
    );
    assert.is((await settled(tracker.issue('SHOP-1'))).url, `${SITE}/browse/SHOP-1`);
    assert.is(tracker.serves(`${SITE}/browse/SHOP-1`), true);
    await settled(tracker.comment('SHOP-1', 'Done.', 'op-1'));
    const authorization = 'username' in config ? /^Bearer / : /^Basic /;
    for (const { url, headers } of sent) {
      if (url.pathname === '/_edge/tenant_info') assert.is(headers.authorization, undefined);
      else {
        assert.is(url.href.indexOf(`https://api.atlassian.com/ex/jira/${CLOUD_ID}/rest/api/3/`), 0);
        assert.match(headers.authorization ?? '', authorization);
      }
    }
    const asked = sent.filter(({ url }) => url.pathname === '/_edge/tenant_info');
    assert.is(asked.length, 'cloudId' in config && config.cloudId === 'auto' ? 1 : 0);
  });
}

test('a token with scopes at the site is refused with the way out; one that lacks a scope, with the scopes', async () => {
  const atSite = stage(3, {}, SCOPES);
  const refused = await refusalOf(() => atSite.settled(atSite.tracker.healthcheck()));
  assert.is(refused.code, 'config-invalid');
  assert.match(
    refused.message,
    /renew .*config\.token\. A token with scopes, .* set plugins\.installed\.jira\.config\.cloudId to auto\.$/,
  );
  const reads = stage(3, { cloudId: 'auto' }, ['read:jira-work']);
  assert.is((await reads.settled(reads.tracker.issue('SHOP-1'))).key, 'SHOP-1');
  const lacking = await refusalOf(() => reads.settled(reads.tracker.healthcheck()));
  assert.is(lacking.code, 'forbidden');
  assert.match(lacking.message, /It needs one of: read:jira-work, write:jira-work, read:jira-user/);
});

test('a site that does not name its id says what to set, and is asked again', async () => {
  const it = stage(3, { cloudId: 'auto' }, SCOPES);
  let isDown = true;
  it.fake.fault = ({ path }) => (isDown && path === '/_edge/tenant_info' ? { status: 404 } : null);
  const refused = await refusalOf(() => it.settled(it.tracker.issue('SHOP-1')));
  assert.is(refused.code, 'config-invalid');
  assert.match(
    refused.message,
    /does not name the cloud id of the site.* or set cloudId to the id itself/,
  );
  isDown = false;
  assert.is((await it.settled(it.tracker.issue('SHOP-1'))).key, 'SHOP-1');
});

test('settings that cannot be used say which and why', async () => {
  const config = { baseUrl: SITE, token: TOKEN, username: 'svc@example.test' };
  for (const [more, why] of [
    [{ cloudId: 'shop' }, /cloudId must be auto, or the id/],
    [{ cloudId: 'auto', apiUrl: 'https://jira.example' }, /apiUrl and cloudId both say/],
    [{ apiUrl: 'http://jira.example' }, /config\.apiUrl must be the https:\/\/ address of the API/],
    [
      { baseUrl: `https://api.atlassian.com/ex/jira/${CLOUD_ID}` },
      /baseUrl must be the site .* goes into cloudId/,
    ],
  ] as const) {
    const refused = await refusalOf(() => jiraSettings({ ...config, ...more }));
    assert.is(refused.code, 'config-invalid');
    assert.match(refused.message, why);
    assert.not.match(refused.message, new RegExp(TOKEN));
  }
});

test.run();
