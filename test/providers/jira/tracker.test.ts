import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markdownToAdf } from '../../../src/providers/jira/adf/markdownToAdf.ts';
import { readJiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { CLOUD_ID, FakeJira } from '../../support/forges/fakeTrackers/fakeJira.ts';
import type { FakeField } from '../../support/forges/fakeTrackers/jiraWorkflow.ts';
import { trackerStage } from '../../support/forges/trackerStage.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('trackers: Jira');

const BASE = 'http://127.0.0.1:9';
const TOKEN = 'tracker-secret';

function stage(version: 2 | 3, config: Record<string, string> = {}, scopes?: readonly string[]) {
  const it = trackerStage((clock) => new FakeJira(version, clock));
  it.fake.store.addUser(TOKEN, 'svc', scopes ? { scopes } : {});
  const username = version === 3 ? 'svc@example.test' : '';
  const settings = readJiraSettings({ baseUrl: BASE, token: TOKEN, username, ...config });
  const tracker = createJiraTracker({ settings, accountClient: it.accountClient });
  const text = version === 3 ? markdownToAdf : (words: string) => words;
  it.fake.store.addIssue('SHOP-1', 'Add a note', text('x'));
  return { ...it, tracker };
}

for (const version of [2, 3] as const) {
  test(`version ${version}: a search for a key finds that issue, and nothing if no issue has it (TOOL-8)`, async () => {
    const { tracker, settled } = stage(version);
    const issues = await settled(tracker.search('shop-1', 5));
    assert.equal(
      issues.map(({ key }) => key),
      ['SHOP-1'],
    );
    assert.equal(await settled(tracker.search('ZZ-9', 5)), []);
  });
}

for (const version of [2, 3] as const) {
  test(`version ${version}: an empty description, fields without a value and comments without an author are read`, async () => {
    const { tracker, fake, settled } = stage(version);
    const issue = fake.store.addIssue('SHOP-2', 'Nothing else', '');
    const text = version === 3 ? markdownToAdf : (words: string) => words;
    fake.store.addComment(issue, '', text('anonymous'));
    const { body, labels } = await settled(tracker.issue('SHOP-2'));
    assert.equal(body, '');
    assert.equal(labels, []);
    const [comment] = await settled(tracker.comments('SHOP-2'));
    assert.equal(comment?.author, 'unknown');
    assert.equal(comment?.body, 'anonymous');
    // Its own comment is found beside it.
    const args = { key: 'SHOP-2', body: 'Mine.' };
    const actor = { at: fake.store.clock.now(), operationId: 'op-1' };
    const written = await settled(tracker.write('post_comment', args, actor));
    const match = await settled(tracker.find('post_comment', args, actor));
    assert.is(match?.commentId, written.commentId);
  });
}

const RESOLUTIONS = [
  { id: '1', name: 'Fixed' },
  { id: '2', name: "Won't fix" },
];
const RESOLUTION = {
  name: 'Resolution',
  required: true,
  schema: { type: 'resolution', system: 'resolution' },
  allowedValues: RESOLUTIONS,
};
const CUSTOM = 'com.atlassian.jira.plugin.system.customfieldtypes';
const SCREEN: Record<string, FakeField> = {
  resolution: RESOLUTION,
  customfield_1: { name: 'Effort', required: false, schema: { type: 'number' } },
  customfield_2: {
    name: 'What was done',
    required: false,
    schema: { type: 'string', custom: `${CUSTOM}:textarea` },
  },
  assignee: { name: 'Assignee', required: false, schema: { type: 'user', system: 'assignee' } },
  fixVersions: {
    name: 'Fix versions',
    required: false,
    schema: { type: 'array', items: 'version', system: 'fixVersions' },
    allowedValues: [
      { id: '7', name: '1.0' },
      { id: '8', name: '1.1' },
    ],
  },
  comment: {
    name: 'Comment',
    required: false,
    schema: { type: 'comments-page', system: 'comment' },
  },
};

for (const version of [2, 3] as const) {
  const name = `version ${version}`;

  test(`${name}: a status that needs a field is refused with the field and its values, and nothing is sent (TOOL-8)`, async () => {
    const { tracker, fake, settled } = stage(version);
    fake.workflow.screens.set('In Progress', SCREEN);
    const error = await catchRefusal(() =>
      settled(tracker.transition('SHOP-1', 'In Progress', 'op-1')),
    );
    assert.is(error.code, 'bad-argument');
    assert.is(
      error.message,
      'SHOP-1 was not changed. It cannot become "In Progress" like this: Resolution is missing. ' +
        "Required: Resolution (resolution): one of Fixed, Won't fix. " +
        'Optional: Effort (customfield_1): number; What was done (customfield_2): string; Assignee (assignee): user; ' +
        'Fix versions (fixVersions): list of 1.0, 1.1; Comment (comment): comments-page. Give them in "fields" by id or name.',
    );
    assert.is(fake.writes(/transitions$/), 0);
  });

  test(`${name}: fields go by id or name, each as its description says (TOOL-8)`, async () => {
    const { tracker, fake, settled } = stage(version);
    fake.workflow.screens.set('In Progress', SCREEN);
    const fields = {
      Resolution: "won't fix",
      effort: '3',
      customfield_2: 'All **of it**.',
      assignee: 'ann',
      'Fix versions': ['1.1', { id: '7' }],
      comment: 'Closed.',
    };
    const moved = await settled(tracker.transition('SHOP-1', 'In Progress', 'op-1', fields));
    assert.is(moved.status, 'In Progress');
    const text = version === 3 ? markdownToAdf : (words: string) => words;
    assert.equal(fake.workflow.set.get('SHOP-1'), {
      resolution: { id: '2' },
      customfield_1: 3,
      customfield_2: text('All **of it**.'),
      assignee: version === 3 ? { accountId: 'ann' } : { name: 'ann' },
      fixVersions: [{ id: '8' }, { id: '7' }],
      comment: [{ add: { body: text('Closed.') } }],
    });
  });

  test(`${name}: values that do not fit, and fields that are not there, are all named at once`, async () => {
    const { tracker, fake, settled } = stage(version);
    fake.workflow.screens.set('In Progress', SCREEN);
    for (const [fields, why] of [
      [
        { Resolution: 'Done', Colour: 'red' },
        /Resolution has no value "Done"; "Colour" is not a field of it\. Required/,
      ],
      [{ Resolution: 'Fixed', Effort: 'much' }, /Effort must be a number\./],
      [{ Resolution: 'Fixed', fixVersions: '1.0' }, /Fix versions must be a list\./],
      [{ Effort: 1 }, /Resolution is missing\./],
    ] as const) {
      const error = await catchRefusal(() =>
        settled(tracker.transition('SHOP-1', 'In Progress', 'op-1', fields)),
      );
      assert.is(error.code, 'bad-argument');
      assert.match(error.message, why);
    }
    assert.is(fake.writes(/transitions$/), 0);
  });
}

test('a transition without a screen takes no fields, and one whose field has a default needs none', async () => {
  const { tracker, fake, settled } = stage(3);
  const error = await catchRefusal(() =>
    settled(tracker.transition('SHOP-1', 'In Progress', 'op-1', { Resolution: 'Fixed' })),
  );
  assert.match(
    error.message,
    /"Resolution" is not a field of it\. This change of status takes no fields\.$/,
  );
  fake.workflow.screens.set('In Progress', {
    resolution: { ...RESOLUTION, hasDefaultValue: true },
  });
  assert.is(
    (await settled(tracker.transition('SHOP-1', 'In Progress', 'op-2'))).status,
    'In Progress',
  );
});

test('a refusal by a validator of the workflow keeps the words of Jira, with the fields that there are', async () => {
  const { tracker, fake, settled } = stage(3);
  fake.workflow.screens.set('In Progress', { resolution: { ...RESOLUTION, required: false } });
  fake.workflow.validators.set('In Progress', (fields) =>
    fields.resolution === undefined ? 'Say how it was resolved.' : null,
  );
  const error = await catchRefusal(() =>
    settled(tracker.transition('SHOP-1', 'In Progress', 'op-1')),
  );
  assert.is(error.code, 'bad-argument');
  assert.match(
    error.message,
    /Say how it was resolved\. Optional: Resolution \(resolution\): one of Fixed, Won't fix\./,
  );
});

test('fields for a status that the issue has already are not set, and that is said', async () => {
  const { tracker, settled } = stage(3);
  const args = { key: 'SHOP-1', status: 'to do', fields: { Resolution: 'Fixed' } };
  const answer = await settled(
    tracker.write('transition_issue', args, { at: 0, operationId: 'op-1' }),
  );
  assert.is(answer.note, 'The issue had this status before: no field was set.');
});

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
    const lookups = sent.filter(({ url }) => url.pathname === '/_edge/tenant_info');
    assert.is(lookups.length, 'cloudId' in config && config.cloudId === 'auto' ? 1 : 0);
  });
}

test('a token with scopes at the site is refused with the setting to change; one that lacks a scope, with the scopes', async () => {
  const atSite = stage(3, {}, SCOPES);
  const refused = await catchRefusal(() => atSite.settled(atSite.tracker.healthcheck()));
  assert.is(refused.code, 'config-invalid');
  assert.match(
    refused.message,
    /renew .*config\.token\. A token with scopes, .* set plugins\.installed\.jira\.config\.cloudId to auto\.$/,
  );
  const reads = stage(3, { cloudId: 'auto' }, ['read:jira-work']);
  assert.is((await reads.settled(reads.tracker.issue('SHOP-1'))).key, 'SHOP-1');
  const lacking = await catchRefusal(() => reads.settled(reads.tracker.healthcheck()));
  assert.is(lacking.code, 'forbidden');
  assert.match(lacking.message, /It needs one of: read:jira-work, write:jira-work, read:jira-user/);
});

test('a site that does not name its id says what to set, and is asked again', async () => {
  const it = stage(3, { cloudId: 'auto' }, SCOPES);
  let isDown = true;
  it.fake.fault = ({ path }) => (isDown && path === '/_edge/tenant_info' ? { status: 404 } : null);
  const refused = await catchRefusal(() => it.settled(it.tracker.issue('SHOP-1')));
  assert.is(refused.code, 'config-invalid');
  assert.match(
    refused.message,
    /does not name the cloud id of the site.* or set cloudId to the id itself/,
  );
  isDown = false;
  assert.is((await it.settled(it.tracker.issue('SHOP-1'))).key, 'SHOP-1');
});

for (const version of [2, 3] as const) {
  test(`version ${version}: people of the site are members; customers, and accounts that are not shown, are none (EVT-4)`, async () => {
    const { tracker, fake, settled } = stage(version);
    fake.store.addUser('t2', 'customer', { isCustomer: true });
    const listAccountIds = (login: string) =>
      version === 3 ? [`acc-${login}`] : [login, `key-${login}`];
    const isMember = (ids: readonly string[]) =>
      settled(tracker.isMember?.(ids) ?? Promise.reject());
    assert.equal(await isMember(listAccountIds('svc')), true);
    assert.equal(await isMember(listAccountIds('customer')), false);
    assert.equal(await isMember(listAccountIds('erased')), false);
    assert.equal(await isMember([]), false);
    // A user name may have changed since; the key of the account has not.
    if (version === 2) assert.is(await isMember(['former', 'key-svc']), true);
  });
}

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
    const refused = await catchRefusal(() => readJiraSettings({ ...config, ...more }));
    assert.is(refused.code, 'config-invalid');
    assert.match(refused.message, why);
    assert.not.match(refused.message, new RegExp(TOKEN));
  }
});

test.run();
