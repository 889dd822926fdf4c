import { SvcError } from '../../base/errors/errors.ts';
import { readGitlabSettings } from './forge/settings.ts';
import { GITLAB_SIGNATURE } from '../hooks/builtInSignatures.ts';
import { gitlabWebhook } from './hooks.ts';
import { defineForge } from '../../contract/forge/builtInForge.ts';
import {
  type BuiltInForge,
  readRequestsPerJob,
  REMOTE_FORGE_SETTINGS,
} from '../rest/forgePlugin.ts';

export const gitlabPlugin: BuiltInForge = {
  manifest: {
    contract: 1,
    id: 'gitlab',
    kind: 'scm',
    title: 'Merge requests of GitLab, gitlab.com or self-managed',
    entry: 'built-in',
    offers: ['healthcheck'],
    settings: {
      token: {
        type: 'string',
        secret: true,
        required: true,
        env: 'GITLAB_TOKEN',
        description:
          'Token of the account that svc acts as, with scope api: of a person, a group, a project or a service account.',
      },
      baseUrl: {
        type: 'string',
        description: 'Address of a GitLab server, https://…; default: gitlab.com.',
      },
      workspace: {
        type: 'string',
        description: 'Group of projects that are named without one; may be nested: acme/team.',
      },
      username: {
        type: 'string',
        description: 'Not used: the token names the account. Kept for older configurations.',
      },
      mergeMethod: {
        type: 'string',
        default: 'project',
        enum: ['project', 'squash'],
        description: 'Merge method of merge_pr: the one set in the project, or squash.',
      },
      ...REMOTE_FORGE_SETTINGS,
    },
    webhook: GITLAB_SIGNATURE,
  },
  plugin: defineForge({
    kind: 'scm',
    async create({ config, clock, mayAct, remote }) {
      if (!remote)
        throw new SvcError('not-possible-now', 'gitlab needs a network, and was given none.');
      const settings = readGitlabSettings(config);
      const { openAccount, mirrorsDir } = remote;
      const account = { host: new URL(settings.web).host, secret: settings.token };
      // At most one write a second: gitlab.com takes 60 notes of an account in a minute.
      const accountClient = openAccount(account, { perJob: readRequestsPerJob(config) });
      // Imported here so that a runner without this forge does not load the client.
      const { createGitlabForge } = await import('./forge/forge.ts');
      return createGitlabForge({
        settings,
        accountClient,
        clock,
        mirrorsDir,
        mayAct,
        selfIsPerson: config.selfIsPerson === true,
      });
    },
  }),
  readWebhook: gitlabWebhook,
};
