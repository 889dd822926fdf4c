import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock.ts';
import { createBitbucketForge } from '../../../src/providers/bitbucket/forge/forge.ts';
import { bitbucketSettings } from '../../../src/providers/bitbucket/forge/settings.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { createGithubForge } from '../../../src/providers/github/forge/forge.ts';
import { githubSettings } from '../../../src/providers/github/forge/settings.ts';
import { createGitlabForge } from '../../../src/providers/gitlab/forge/forge.ts';
import { gitlabSettings } from '../../../src/providers/gitlab/forge/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { jiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createLinearTracker } from '../../../src/providers/linear/tracker/tracker.ts';
import { linearSettings } from '../../../src/providers/linear/tracker/settings.ts';
import { unscreened } from '../standIns/unscreened.ts';

/** What every client of a remote account can be asked, at a server of a test. */
interface RemoteClient {
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
}

const TOKEN = 'a-token-of-the-tests';

const open = (baseUrl: string) => {
  const accountClient = new AccountClient({
    screen: unscreened,
    host: new URL(baseUrl).host,
    clock: systemClock,
    random: () => 0,
    fetch,
    perJob: 600,
    writeGapMs: 0,
  });
  const mirrorsDir = join(mkdtempSync(join(tmpdir(), 'svc-clients-')), 'mirrors');
  return { accountClient, mirrorsDir, clock: systemClock, selfIsPerson: false };
};

/** The clients of the product, by name. */
export const REMOTE_CLIENTS = {
  github: (baseUrl: string) =>
    createGithubForge({ ...open(baseUrl), settings: githubSettings({ token: TOKEN, baseUrl }) }),
  gitlab: (baseUrl: string) =>
    createGitlabForge({ ...open(baseUrl), settings: gitlabSettings({ token: TOKEN, baseUrl }) }),
  bitbucket: (baseUrl: string) =>
    createBitbucketForge({
      ...open(baseUrl),
      settings: bitbucketSettings({ token: TOKEN, username: 'svc@acme.test', baseUrl }),
    }),
  jira: (baseUrl: string) =>
    createJiraTracker({
      ...open(baseUrl),
      settings: jiraSettings({ token: TOKEN, username: 'svc@acme.test', baseUrl }),
    }),
  linear: (baseUrl: string) =>
    createLinearTracker({ ...open(baseUrl), settings: linearSettings({ apiKey: TOKEN, baseUrl }) }),
} satisfies Record<string, (baseUrl: string) => RemoteClient>;
