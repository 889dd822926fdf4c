import { SvcError } from '../../lib/errors.ts';
import { Door } from '../../scm/broker/door.ts';
import { githubSettings } from '../../scm/github/settings.ts';
import { definePlugin, type PluginOf } from '../contract.ts';
import type { BuiltIn } from './pair.ts';

/** Requests that one job may make in an hour where the configuration does not say. */
export const DEFAULT_PER_JOB = 600;
/** Seconds between two polls where the configuration does not say. */
export const DEFAULT_POLL_SECONDS = 60;

export const githubPlugin: BuiltIn<PluginOf<'scm'>> = {
  manifest: {
    contract: 1,
    id: 'github',
    kind: 'scm',
    title: 'Pull requests of GitHub and GitHub Enterprise',
    entry: 'built-in',
    settings: {
      token: {
        ...{ type: 'string', secret: true, required: true, env: 'GITHUB_TOKEN' },
        description:
          'Token of the account that svc acts as: classic with scope repo, or fine-grained with contents and pull requests.',
      },
      baseUrl: { type: 'string', description: 'Address of a GitHub Enterprise server, https://…; default: github.com.' },
      workspace: { type: 'string', description: 'Owner of repositories that are named without one.' },
      username: { type: 'string', description: 'Not used: the token names the account. Kept for older configurations.' },
      wakeAuthors: {
        ...{ type: 'string', default: '' },
        description: 'Logins whose comments and reviews wake jobs, by comma; * = everybody; default: members of the repository.',
      },
      ignoreAuthors: { type: 'string', default: '', description: 'Logins that never wake a job, by comma.' },
      selfIsPerson: {
        ...{ type: 'boolean', default: false },
        description: "A person uses the token's account too: their comments wake jobs; only what svc has written does not.",
      },
      mergeMethod: { type: 'string', default: 'merge', enum: ['merge', 'squash', 'rebase'], description: 'How merge_pr merges.' },
      pollSeconds: {
        type: 'integer',
        default: DEFAULT_POLL_SECONDS,
        description: 'Seconds between two looks at the pull requests.',
      },
      requestsPerJob: { type: 'integer', default: DEFAULT_PER_JOB, description: 'Most requests of one job in an hour.' },
      webhookSecret: {
        type: 'string',
        secret: true,
        description: 'Secret of the webhooks that GitHub sends; empty = none are taken.',
      },
    },
    webhook: { algorithm: 'sha256', header: 'X-Hub-Signature-256', format: 'prefixed-hex' },
  },
  plugin: definePlugin({
    kind: 'scm',
    async create({ config, clock, remote }) {
      if (!remote) throw new SvcError('not-possible-now', 'github needs a network, and was given none.');
      const settings = githubSettings(config);
      const { fetch, random, mirrorsDir } = remote;
      const perJob = Number(config.requestsPerJob ?? DEFAULT_PER_JOB);
      const door = new Door({ host: new URL(settings.web).host, clock, random, fetch, perJob });
      // A runner without this forge does not load the client.
      const { createGithubForge } = await import('../../scm/github/forge.ts');
      return createGithubForge({ settings, door, clock, mirrorsDir, selfIsPerson: config.selfIsPerson === true });
    },
  }),
};
