import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/time/clock.ts';
import { createBitbucketForge } from '../../../src/providers/bitbucket/forge/forge.ts';
import { readBitbucketSettings } from '../../../src/providers/bitbucket/forge/settings.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { createGithubForge } from '../../../src/providers/github/forge/forge.ts';
import { readGithubSettings } from '../../../src/providers/github/forge/settings.ts';
import { createGitlabForge } from '../../../src/providers/gitlab/forge/forge.ts';
import { readGitlabSettings } from '../../../src/providers/gitlab/forge/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { readJiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createLinearTracker } from '../../../src/providers/linear/tracker/tracker.ts';
import { readLinearSettings } from '../../../src/providers/linear/plugin.ts';
import { unscreened } from '../standIns/unscreened.ts';

interface RemoteClient {
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
}

const TOKEN = 'a-token-of-the-tests';

const open = (baseUrl: string) => {
  const accountClient = new AccountClient({
    mayAct: mayAlwaysAct,
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

export const REMOTE_CLIENTS = {
  github: (baseUrl: string) =>
    createGithubForge({
      mayAct: mayAlwaysAct,
      ...open(baseUrl),
      settings: readGithubSettings({ token: TOKEN, baseUrl }),
    }),
  gitlab: (baseUrl: string) =>
    createGitlabForge({
      mayAct: mayAlwaysAct,
      ...open(baseUrl),
      settings: readGitlabSettings({ token: TOKEN, baseUrl }),
    }),
  bitbucket: (baseUrl: string) =>
    createBitbucketForge({
      mayAct: mayAlwaysAct,
      ...open(baseUrl),
      settings: readBitbucketSettings({ token: TOKEN, username: 'svc@acme.test', baseUrl }),
    }),
  jira: (baseUrl: string) =>
    createJiraTracker({
      ...open(baseUrl),
      settings: readJiraSettings({ token: TOKEN, username: 'svc@acme.test', baseUrl }),
    }),
  linear: (baseUrl: string) =>
    createLinearTracker({
      ...open(baseUrl),
      settings: readLinearSettings({ apiKey: TOKEN, baseUrl }),
    }),
} satisfies Record<string, (baseUrl: string) => RemoteClient>;
