import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markdownToAdf } from '../../../src/providers/jira/tracker/markdownToAdf.ts';
import { jiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { FakeJira } from '../../support/forges/fakeTrackers/fakeJira.ts';
import { trackerStage } from '../../support/forges/trackerStage.ts';

const test = suite('trackers: Jira');

const BASE = 'http://127.0.0.1:9';
const TOKEN = 'tracker-secret';

function stage(version: 2 | 3) {
  const it = trackerStage((clock) => new FakeJira(version, clock));
  it.fake.store.addUser(TOKEN, 'svc');
  const config = { baseUrl: BASE, token: TOKEN };
  const settings = jiraSettings(
    version === 3 ? { ...config, username: 'svc@example.test' } : config,
  );
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

test.run();
