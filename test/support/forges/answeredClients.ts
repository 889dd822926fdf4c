import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { createBitbucketForge } from '../../../src/providers/bitbucket/forge/forge.ts';
import { readBitbucketSettings } from '../../../src/providers/bitbucket/forge/settings.ts';
import { createGithubForge } from '../../../src/providers/github/forge/forge.ts';
import { readGithubSettings } from '../../../src/providers/github/forge/settings.ts';
import { createGithubIssuesTracker } from '../../../src/providers/github/issues/tracker.ts';
import { createGitlabForge } from '../../../src/providers/gitlab/forge/forge.ts';
import { readGitlabSettings } from '../../../src/providers/gitlab/forge/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { readJiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createLinearTracker } from '../../../src/providers/linear/tracker/tracker.ts';
import { readLinearSettings } from '../../../src/providers/linear/plugin.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';
import { unscreened } from '../standIns/unscreened.ts';

export interface SentRequest {
  method: string;
  path: string;
  body: string;
  /** ms since the client was made. */
  at: number;
}

export interface GivenAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

const TOKEN = 'a-token-of-the-tests';
const BASE = 'https://host.test';

/** Every client of a remote account before a function, on a clock that moves with `settled`. */
export function answeredClients(answer: (request: SentRequest) => GivenAnswer) {
  const clock = new SimulatedClock();
  const start = clock.now();
  const sent: SentRequest[] = [];
  const accountClient = new AccountClient({
    mayAct: mayAlwaysAct,
    screen: unscreened,
    host: 'host.test',
    clock,
    random: () => 0,
    perJob: 600,
    writeGapMs: 0,
    async fetch(input, init = {}) {
      const { pathname, search } = new URL(String(input));
      const { method = 'GET', body } = init;
      const request = {
        method,
        path: `${pathname}${search}`,
        body: String(body ?? ''),
        at: clock.now() - start,
      };
      sent.push(request);
      const { status = 200, headers = {}, body: content = '' } = answer(request);
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      // Bytes, not a text, to which a Response would give a content type by itself.
      return new Response(status === 204 ? null : Buffer.from(text), { status, headers });
    },
  });
  const mirrorsDir = join(tmpdir(), 'svc-no-mirrors');
  const forge = { accountClient, clock, mirrorsDir, selfIsPerson: false };
  const values = { token: TOKEN, baseUrl: BASE };
  const settleWithTimers = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isOver) clock.runNext();
    }
    return work;
  };
  return {
    sent,
    settled: settleWithTimers,
    github: createGithubForge({
      mayAct: mayAlwaysAct,
      ...forge,
      settings: readGithubSettings(values),
    }),
    gitlab: createGitlabForge({
      mayAct: mayAlwaysAct,
      ...forge,
      settings: readGitlabSettings(values),
    }),
    bitbucket: createBitbucketForge({
      mayAct: mayAlwaysAct,
      ...forge,
      settings: readBitbucketSettings({ ...values, username: 'svc@acme.test' }),
    }),
    githubIssues: createGithubIssuesTracker({ ...forge, settings: readGithubSettings(values) }),
    jira: createJiraTracker({
      accountClient,
      settings: readJiraSettings({ ...values, username: 'svc@acme.test' }),
    }),
    linear: createLinearTracker({
      accountClient,
      settings: readLinearSettings({ apiKey: TOKEN, baseUrl: BASE }),
    }),
  };
}
