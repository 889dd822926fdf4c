import { readJiraSettings } from './tracker/settings.ts';
import { JIRA_SIGNATURE } from '../hooks/builtInSignatures.ts';
import { createJiraWebhook } from './hooks.ts';
import { readRequestsPerJob } from '../rest/forgePlugin.ts';
import {
  createBuiltInTracker,
  REMOTE_TRACKER_SETTINGS,
  TRACKER_WRITE_GAP_MS,
} from '../rest/trackerPlugin.ts';

export const jiraPlugin = createBuiltInTracker(
  {
    contract: 1,
    id: 'jira',
    kind: 'tracker',
    title: 'Issues of Jira Cloud, Data Center and Server',
    entry: 'built-in',
    offers: ['healthcheck'],
    settings: {
      baseUrl: {
        type: 'string',
        required: true,
        description: 'Address of the site, such as https://<site>.atlassian.net.',
      },
      username: {
        type: 'string',
        description:
          'Jira Cloud: e-mail address of the account; may be left out for a service account with cloudId. Data Center and Server: left out.',
      },
      token: {
        type: 'string',
        secret: true,
        required: true,
        env: 'JIRA_API_TOKEN',
        description:
          'Jira Cloud: API token of the account. Data Center and Server: personal access token.',
      },
      cloudId: {
        type: 'string',
        description:
          'Jira Cloud, for a token with scopes or of a service account: auto, or the cloud id of the site. The API is then asked at api.atlassian.com.',
      },
      apiUrl: {
        type: 'string',
        description:
          'Address of the API where it is neither the site nor api.atlassian.com; instead of cloudId.',
      },
      deployment: {
        type: 'string',
        default: 'auto',
        enum: ['auto', 'cloud', 'datacenter'],
        description: 'auto: cloud where a username or cloudId is given, else datacenter.',
      },
      ...REMOTE_TRACKER_SETTINGS,
    },
    webhook: JIRA_SIGNATURE,
  },
  async ({ config }, { openAccount }) => {
    const settings = readJiraSettings(config);
    const account = { host: new URL(settings.web).host, secret: settings.authorization };
    const accountClient = openAccount(account, {
      perJob: readRequestsPerJob(config),
      writeGapMs: TRACKER_WRITE_GAP_MS,
      // Jira's limits are per second, for one kind of request, or per issue.
      shortWindows: true,
    });
    const { createJiraTracker } = await import('./tracker/tracker.ts');
    return createJiraTracker({ settings, accountClient });
  },
  (secret, config) => createJiraWebhook(readJiraSettings(config).web)(secret),
  { config: { baseUrl: 'https://jira.invalid', username: 'ann', token: 'sample' } },
);
