import { readLinearSettings } from '../../../src/providers/linear/plugin.ts';
import { createLinearTracker } from '../../../src/providers/linear/tracker/tracker.ts';
import { FakeLinear } from '../../support/forges/fakeTrackers/fakeLinear.ts';
import { trackerContract } from '../../support/forges/trackerContract.ts';

trackerContract({
  name: 'Linear',
  fake: () => new FakeLinear(),
  make: ({ url, token, accountClient }) =>
    createLinearTracker({
      accountClient,
      settings: readLinearSettings({ baseUrl: url, apiKey: token, teamKey: 'ENG' }),
    }),
  key: (n) => `ENG-${n}`,
  address: (_url, n) => `https://linear.app/acme/issue/ENG-${n}/slug`,
  stored: (text) => text,
  statuses: { first: 'Backlog', next: 'In Progress', never: 'Archived' },
  showsMembers: true,
  transitionFields: false,
  commentsOnce: true,
});
