import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { createBitbucketForge } from '../../src/scm/bitbucket/forge.ts';
import { bitbucketSettings } from '../../src/scm/bitbucket/settings.ts';
import { Door } from '../../src/scm/broker/door.ts';
import { createGithubForge } from '../../src/scm/github/forge.ts';
import { githubSettings } from '../../src/scm/github/settings.ts';
import { createGitlabForge } from '../../src/scm/gitlab/forge.ts';
import { gitlabSettings } from '../../src/scm/gitlab/settings.ts';
import { createJiraTracker } from '../../src/trackers/jira/tracker.ts';
import { jiraSettings } from '../../src/trackers/jira/settings.ts';
import { createLinearTracker } from '../../src/trackers/linear/tracker.ts';
import { linearSettings } from '../../src/trackers/linear/settings.ts';

/** What every client of a remote account can be asked, at a server of a test. */
interface RemoteClient {
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
}

const TOKEN = 'a-token-of-the-tests';

const open = (baseUrl: string) => {
  const door = new Door({ host: new URL(baseUrl).host, clock: systemClock, random: () => 0, fetch, perJob: 600, writeGapMs: 0 });
  const mirrorsDir = join(mkdtempSync(join(tmpdir(), 'svc-clients-')), 'mirrors');
  return { door, mirrorsDir, clock: systemClock, selfIsPerson: false };
};

/** The clients of the product, by name. */
export const REMOTE_CLIENTS = {
  github: (baseUrl: string) => createGithubForge({ ...open(baseUrl), settings: githubSettings({ token: TOKEN, baseUrl }) }),
  gitlab: (baseUrl: string) => createGitlabForge({ ...open(baseUrl), settings: gitlabSettings({ token: TOKEN, baseUrl }) }),
  bitbucket: (baseUrl: string) =>
    createBitbucketForge({ ...open(baseUrl), settings: bitbucketSettings({ token: TOKEN, username: 'svc@acme.test', baseUrl }) }),
  jira: (baseUrl: string) =>
    createJiraTracker({ ...open(baseUrl), settings: jiraSettings({ token: TOKEN, username: 'svc@acme.test', baseUrl }) }),
  linear: (baseUrl: string) => createLinearTracker({ ...open(baseUrl), settings: linearSettings({ apiKey: TOKEN, baseUrl }) }),
} satisfies Record<string, (baseUrl: string) => RemoteClient>;
