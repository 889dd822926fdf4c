import { markdownToAdf } from '../../../src/providers/jira/adf/markdownToAdf.ts';
import { readJiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { FakeJira } from '../../support/forges/fakeTrackers/fakeJira.ts';
import { trackerContract } from '../../support/forges/trackerContract.ts';

trackerContract({
  name: 'Jira Cloud',
  fake: () => new FakeJira(3),
  make: ({ url, token, accountClient }) =>
    createJiraTracker({
      accountClient,
      settings: readJiraSettings({ baseUrl: url, username: 'svc@example.test', token }),
    }),
  key: (n) => `SHOP-${n}`,
  address: (url, n) => `${url}/browse/SHOP-${n}`,
  stored: markdownToAdf,
  statuses: { first: 'To Do', next: 'In Progress', never: 'Archived' },
  showsMembers: true,
  transitionFields: true,
  commentsOnce: false,
});
