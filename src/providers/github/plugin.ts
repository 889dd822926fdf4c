import { SvcError } from '../../base/errors/errors.ts';
import { readGithubSettings } from './forge/settings.ts';
import { defineForge } from '../../contract/forge/builtInForge.ts';
import {
  readRequestsPerJob,
  REMOTE_FORGE_SETTINGS,
  type BuiltInForge,
} from '../rest/forgePlugin.ts';
import { readGithubEvent } from './hooks/readGithubEvent.ts';
import { GITHUB_SIGNATURE } from '../hooks/builtInSignatures.ts';
import { createSignedReader } from '../hooks/createSignedReader.ts';
import { readAtPath, readListAt } from '../../base/json/untrusted.ts';
import type { PrSubject } from '../../contract/forge/hook.ts';

const listPrNumbers = (list: readonly unknown[]): number[] =>
  list.map((one) => readAtPath(one, 'number')).filter((number) => typeof number === 'number');

/**
 * The pull requests that a delivery of GitHub is about; null for none. Only this is used: what
 * happened is read from GitHub, in its order.
 */
export function readGithubSubject(payload: unknown): PrSubject | null {
  const repo = readAtPath(payload, 'repository', 'full_name');
  if (typeof repo !== 'string') return null;
  const about = (numbers: number[] | null): PrSubject | null =>
    numbers?.length === 0 ? null : { repo, numbers };
  const pr = readAtPath(payload, 'pull_request');
  if (pr !== undefined) {
    const number = readAtPath(payload, 'number');
    const outer =
      typeof number === 'number' && readAtPath(pr, 'number') === undefined ? [number] : [];
    return about(listPrNumbers([pr]).concat(outer));
  }
  const issue = readAtPath(payload, 'issue');
  if (issue !== undefined) {
    return readAtPath(issue, 'pull_request') === undefined ? null : about(listPrNumbers([issue]));
  }
  const run = readAtPath(payload, 'check_run');
  const suite = readAtPath(payload, 'check_suite');
  if (run !== undefined || suite !== undefined) {
    // A check of a commit from another repository names no pull request.
    const prNumbers = listPrNumbers(readListAt(run ?? suite, 'pull_requests'));
    return about(prNumbers.length > 0 ? prNumbers : null);
  }
  return typeof readAtPath(payload, 'sha') === 'string' ? about(null) : null;
}

export const githubWebhook = createSignedReader({
  id: 'github',
  signature: () => GITHUB_SIGNATURE,
  idHeaders: ['X-GitHub-Delivery'],
  // What GitHub sends with the content type application/x-www-form-urlencoded.
  formField: 'payload',
  // X-GitHub-Event is not signed, so the payload decides.
  read: (payload) => ({ subject: readGithubSubject(payload), event: readGithubEvent(payload) }),
});

export const githubPlugin: BuiltInForge = {
  manifest: {
    contract: 1,
    id: 'github',
    kind: 'scm',
    title: 'Pull requests of GitHub and GitHub Enterprise',
    entry: 'built-in',
    offers: ['healthcheck'],
    settings: {
      token: {
        type: 'string',
        secret: true,
        env: 'GITHUB_TOKEN',
        description:
          'Token of the account that svc acts as: classic with scope repo, or fine-grained with contents and pull requests. Or set appId, installationId and privateKey.',
      },
      appId: {
        type: 'integer',
        description: 'Number of the GitHub App that svc acts as, instead of a token.',
      },
      installationId: {
        type: 'integer',
        description: 'Number of the installation of the app.',
      },
      privateKey: {
        type: 'string',
        secret: true,
        env: 'GITHUB_APP_PRIVATE_KEY',
        description:
          'Private key of the app: the text of the .pem file that GitHub made, or file:/… with its absolute path.',
      },
      baseUrl: {
        type: 'string',
        description:
          'Address of a GitHub Enterprise server, or of a subdomain of ghe.com, https://…; default: github.com.',
      },
      workspace: {
        type: 'string',
        description: 'Owner of repositories that are named without one.',
      },
      username: {
        type: 'string',
        description: 'Not used: the token names the account. Kept for older configurations.',
      },
      mergeMethod: {
        type: 'string',
        enum: ['merge', 'squash', 'rebase'],
        description:
          'Merge method of merge_pr; default: the first of these that the repository allows.',
      },
      ...REMOTE_FORGE_SETTINGS,
    },
    webhook: GITHUB_SIGNATURE,
  },
  plugin: defineForge({
    kind: 'scm',
    async create({ config, clock, mayAct, remote }) {
      if (!remote)
        throw new SvcError('not-possible-now', 'github needs a network, and was given none.');
      const settings = readGithubSettings(config);
      const { openAccount, mirrorsDir } = remote;
      // Imported here so that a runner without this forge does not load the client.
      const { openGithub } = await import('./app/credentials.ts');
      const { createGithubForge } = await import('./forge/forge.ts');
      return createGithubForge({
        settings,
        ...openGithub(settings, openAccount, { perJob: readRequestsPerJob(config) }),
        clock,
        mirrorsDir,
        mayAct,
        selfIsPerson: config.selfIsPerson === true,
      });
    },
  }),
  readWebhook: githubWebhook,
};
