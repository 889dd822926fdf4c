import { systemClock } from '../../../src/base/time/clock.ts';
import { readGithubSettings } from '../../../src/providers/github/forge/settings.ts';
import { createGithubIssuesTracker } from '../../../src/providers/github/issues/tracker.ts';
import { FakeGithubIssues } from '../../support/forges/fakeTrackers/fakeGithubIssues.ts';
import { trackerContract } from '../../support/forges/trackerContract.ts';

trackerContract({
  name: 'GitHub issues',
  fake: () => new FakeGithubIssues(),
  make: ({ url, token, accountClient }) =>
    createGithubIssuesTracker({
      clock: systemClock,
      accountClient,
      settings: readGithubSettings({ baseUrl: url, token }),
    }),
  key: (n) => `acme/shop#${n}`,
  address: (url, n) => `${url}/acme/shop/issues/${n}`,
  stored: (text) => text,
  statuses: { first: 'open', next: 'closed', never: 'Archived' },
  showsMembers: true,
  transitionFields: false,
  commentsOnce: false,
});
