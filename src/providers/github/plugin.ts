import { SvcError } from '../../base/errors/errors.ts';
import { readGithubSettings } from './forge/settings.ts';
import { GITHUB_SIGNATURE, githubWebhook } from './hooks/githubWebhook.ts';
import { defineForge } from '../../contract/forge/builtInForge.ts';
import {
  type BuiltInForge,
  readRequestsPerJob,
  REMOTE_FORGE_SETTINGS,
} from '../rest/forgePlugin.ts';

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
          'Address of a GitHub Enterprise server, or of a place at ghe.com, https://…; default: github.com.',
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
    async create({ config, clock, remote }) {
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
        selfIsPerson: config.selfIsPerson === true,
      });
    },
  }),
  readWebhook: githubWebhook,
};
