import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import { createLog } from '../../src/base/system/log/log.ts';
import { listSecretForms } from '../../src/base/secrets/secretForms.ts';
import { startRunner } from '../../src/main.ts';
import { AnsweringServer } from '../support/http/answeringServer.ts';

const test = suite('attacks: servers that repeat the request');

const CANARIES = {
  github: 'canary-github-token-1',
  gitlab: 'canary-gitlab-token-2',
  bitbucket: 'canary-bitbucket-token-3',
  jira: 'canary-jira-token-4',
  linear: 'canary-linear-key-5',
  loki: 'canary-loki-password-6',
  tempo: 'canary-tempo-password-7',
} as const;

const createConfig = (baseUrl: string) => ({
  github: { config: { token: CANARIES.github, baseUrl } },
  gitlab: { config: { token: CANARIES.gitlab, baseUrl } },
  bitbucket: { config: { token: CANARIES.bitbucket, username: 'svc@acme.test', baseUrl } },
  jira: { config: { token: CANARIES.jira, username: 'svc@acme.test', baseUrl } },
  linear: { config: { apiKey: CANARIES.linear, baseUrl } },
  loki: {
    config: { baseUrl, username: 'svc', password: CANARIES.loki },
    allowHosts: ['127.0.0.1'],
  },
  tempo: {
    config: { baseUrl, username: 'svc', password: CANARIES.tempo },
    allowHosts: ['127.0.0.1'],
  },
});

/**
 * The Authorization header as it came, decoded and encoded once more, wherever the clients look for
 * words.
 */
function echo(authorization: string): string {
  const decoded = Buffer.from(authorization.replace(/^\w+ /, ''), 'base64').toString();
  const text = `${authorization} ${decoded} ${Buffer.from(authorization).toString('base64')} ${encodeURIComponent(authorization)}`;
  return JSON.stringify({
    message: text,
    error: { message: text },
    errorMessages: [text],
    login: text,
    username: text,
    id: 1,
    uuid: text,
    errors: [{ message: text }],
    accountId: text,
    displayName: text,
    nickname: text,
    status: 'success',
    data: [text],
    tagNames: [text],
  });
}

/** Names of those that the text holds in any form. */
const foundIn = (text: string): string[] =>
  Object.entries(CANARIES).flatMap(([name, canary]) =>
    listSecretForms(canary).some((form) => text.includes(form)) ? [name] : [],
  );

for (const status of [200, 400, 403]) {
  test(`forges, trackers and servers that answer ${status} and repeat the login show it in no reply and no log (SEC-1)`, async () => {
    const home = mkdtempSync(join(tmpdir(), 'svc-echoes-'));
    const server = await new AnsweringServer((req, res) =>
      res
        .writeHead(status, { 'content-type': 'application/json' })
        .end(echo(req.headers.authorization ?? '')),
    ).start();
    const config = { server: { port: 0 }, plugins: { installed: createConfig(server.url) } };
    writeFileSync(join(home, 'config.json'), JSON.stringify(config));
    const sources = {
      env: { SVC_HOME: home },
      homeDir: home,
      flags: {},
      packageRoot: join(import.meta.dirname, '..', '..'),
    };
    const loaded = await loadSettings(sources);
    const secrets = new KnownSecrets(loaded.secrets);
    const written: string[] = [];
    const log = {
      ...createLog(2, 'warn'),
      warn: note(written),
      error: note(written),
      info: () => {},
      debug: () => {},
    };
    const runner = await startRunner(loaded.settings, {
      log,
      hostEnv: {},
      packageRoot: sources.packageRoot,
      pid: process.pid,
      secrets,
      config: { sources, started: loaded.config },
    });
    try {
      const { readFileSync } = await import('node:fs');
      const token = readFileSync(loaded.settings.paths.tokenFile, 'utf8').trim();
      const ask = async (method: string, path: string, body?: object): Promise<string> => {
        const response = await fetch(`${runner.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        return `${response.status} ${await response.text()}`;
      };
      const ticket = (params: object) => ({
        type: 'job',
        workflowPath: 'workflows/job.md',
        params,
      });
      const replies: Record<string, string> = {};
      for (const id of Object.keys(CANARIES))
        replies[`health of ${id}`] = await ask('POST', `/plugins/${id}/healthcheck`, {});
      for (const path of ['/forges', '/plugins', '/health', '/triggers'])
        replies[path] = await ask('GET', path);
      replies['job of a ticket of Jira'] = await ask(
        'POST',
        '/jobs',
        ticket({ jiraTicketId: 'SHOP-1', trackerProvider: 'jira' }),
      );
      replies['job of a ticket of Linear'] = await ask(
        'POST',
        '/jobs',
        ticket({ jiraTicketId: 'ENG-1', trackerProvider: 'linear' }),
      );
      assert.ok(server.seen.length >= 7, `${server.seen.length} requests came`);
      const leaks = Object.entries(replies).flatMap(([what, text]) =>
        foundIn(text).map((canary) => `${what}: ${canary}`),
      );
      assert.equal(leaks, []);
      assert.ok(Object.values(replies).join('').includes('[secret]'), 'the servers were heard');
      assert.equal(foundIn(written.map(secrets.screen).join('\n')), []);
    } finally {
      await runner.stop();
      server.stop();
      rmSync(home, { recursive: true, force: true });
    }
  });
}

/** A method of a log that keeps what it is given. */
const note =
  (written: string[]) =>
  (...args: unknown[]): void =>
    void written.push(
      args.map((arg) => (arg instanceof Error ? String(arg) : JSON.stringify(arg))).join(' '),
    );

test.run();
