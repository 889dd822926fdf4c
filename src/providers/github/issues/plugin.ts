import { SvcError } from '../../../base/errors/errors.ts';
import { readGithubSettings } from '../forge/settings.ts';
import { readRequestsPerJob } from '../../rest/forgePlugin.ts';
import { createBuiltInTracker } from '../../rest/trackerPlugin.ts';

export const githubIssuesPlugin = createBuiltInTracker(
  {
    contract: 1,
    id: 'github-issues',
    kind: 'tracker',
    title: 'Issues of GitHub, with the account of the plugin github',
    entry: 'built-in',
    offers: ['healthcheck'],
  },
  async ({ clock }, { openAccount, readSettings }) => {
    const config = readSettings('github');
    if (config === null)
      throw new SvcError(
        'config-invalid',
        'github-issues uses the account of plugins.installed.github, which is not configured.',
      );
    const settings = readGithubSettings(config);
    // The forge's own account client, so that issues and pull requests count against the same
    // budget.
    const { openGithub } = await import('../app/credentials.ts');
    const accounts = openGithub(settings, openAccount, { perJob: readRequestsPerJob(config) });
    const { createGithubIssuesTracker } = await import('./tracker.ts');
    return createGithubIssuesTracker({ settings, ...accounts, clock });
  },
  // GitHub sends events of issues and pull requests to the same address.
  null,
);
