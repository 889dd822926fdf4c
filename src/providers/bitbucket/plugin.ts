import { SvcError } from '../../base/errors/errors.ts';
import { readBitbucketSettings, MERGE_STRATEGIES } from './forge/settings.ts';
import { BITBUCKET_SIGNATURE } from '../hooks/builtInSignatures.ts';
import { bitbucketWebhook } from './hooks.ts';
import { defineForge } from '../../contract/forge/builtInForge.ts';
import {
  type BuiltInForge,
  readRequestsPerJob,
  REMOTE_FORGE_SETTINGS,
} from '../rest/forgePlugin.ts';

/** Least time between two writes, ms; Bitbucket asks for none. */
const WRITE_GAP_MS = 200;

export const bitbucketPlugin: BuiltInForge = {
  manifest: {
    contract: 1,
    id: 'bitbucket',
    kind: 'scm',
    title: 'Pull requests of Bitbucket Cloud',
    entry: 'built-in',
    offers: ['healthcheck'],
    settings: {
      token: {
        type: 'string',
        secret: true,
        required: true,
        env: 'BITBUCKET_TOKEN',
        description:
          'API token of the account that svc acts as, or an access token of a repository, project or workspace.',
      },
      username: {
        type: 'string',
        description:
          'E-mail of the account that an API token belongs to; left out: the token is an access token.',
      },
      workspace: {
        type: 'string',
        description: 'Workspace of repositories that are named without one.',
      },
      project: {
        type: 'string',
        description:
          "Key of the project that new repositories are created in; default: Bitbucket's choice, the oldest of the workspace.",
      },
      baseUrl: {
        type: 'string',
        description:
          'Address of a proxy of bitbucket.org and its API, https://…; Bitbucket Data Center is not supported.',
      },
      mergeMethod: {
        type: 'string',
        default: 'merge_commit',
        enum: [...MERGE_STRATEGIES],
        description: 'Merge method of merge_pr.',
      },
      ...REMOTE_FORGE_SETTINGS,
      wakeAuthors: {
        ...REMOTE_FORGE_SETTINGS.wakeAuthors,
        description:
          'Comma-separated UUIDs or account IDs of accounts whose comments and reviews wake jobs; * = everyone; default: members of the workspace and reviewers.',
      },
      ignoreAuthors: {
        ...REMOTE_FORGE_SETTINGS.ignoreAuthors,
        description:
          'Comma-separated nicknames, UUIDs or account IDs of accounts that never wake a job.',
      },
    },
    webhook: BITBUCKET_SIGNATURE,
  },
  plugin: defineForge({
    kind: 'scm',
    async create({ config, clock, mayAct, remote }) {
      if (!remote)
        throw new SvcError('not-possible-now', 'bitbucket needs a network, and was given none.');
      const settings = readBitbucketSettings(config);
      const { openAccount, mirrorsDir } = remote;
      const account = { host: new URL(settings.web).host, secret: settings.token };
      const accountClient = openAccount(account, {
        perJob: readRequestsPerJob(config),
        writeGapMs: WRITE_GAP_MS,
      });
      // Imported here so that a runner without this forge does not load the client.
      const { createBitbucketForge } = await import('./forge/forge.ts');
      return createBitbucketForge({
        settings,
        accountClient,
        clock,
        mirrorsDir,
        mayAct,
        selfIsPerson: config.selfIsPerson === true,
      });
    },
  }),
  readWebhook: bitbucketWebhook,
};
