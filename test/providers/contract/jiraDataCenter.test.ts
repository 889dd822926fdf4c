import { readJiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { FakeJira } from '../../support/forges/fakeTrackers/fakeJira.ts';
import { trackerContract } from '../../support/forges/trackerContract.ts';

trackerContract({
  name: 'Jira Data Center',
  fake: () => new FakeJira(2),
  make: ({ url, token, accountClient }) =>
    createJiraTracker({ accountClient, settings: readJiraSettings({ baseUrl: url, token }) }),
  key: (n) => `SHOP-${n}`,
  address: (url, n) => `${url}/browse/SHOP-${n}`,
  stored: (text) => text,
  statuses: { first: 'To Do', next: 'In Progress', never: 'Archived' },
  showsMembers: false,
  transitionFields: true,
  commentsOnce: false,
});
