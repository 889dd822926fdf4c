import { LINEAR_SIGNATURE } from '../hooks/builtInSignatures.ts';
import { linearWebhook } from './hooks.ts';
import { readRequestsPerJob } from '../rest/forgePlugin.ts';
import {
  createBuiltInTracker,
  REMOTE_TRACKER_SETTINGS,
  TRACKER_WRITE_GAP_MS,
} from '../rest/trackerPlugin.ts';
import { readTrimmedSetting } from '../../base/settings/readTrimmedSetting.ts';
import { checkBaseUrl } from '../rest/checkBaseUrl.ts';
import type { LinearSettings } from './tracker/client.ts';

/** Prefix of access tokens of OAuth applications; API keys have another. */
const OAUTH = /^lin_oauth_/;
const API_KEY = /^lin_api_/;

/** Reads the settings of the plugin. Throws SvcError `config-invalid`. */
export function readLinearSettings(
  values: Readonly<Record<string, string | number | boolean>>,
): LinearSettings {
  const baseUrl = checkBaseUrl('linear', 'the API', values.baseUrl) || 'https://api.linear.app';
  const givenKey = String(values.apiKey).trim();
  const apiKey = givenKey.replace(/^Bearer\s+/i, '');
  const isToken = OAUTH.test(apiKey) || (apiKey !== givenKey && !API_KEY.test(apiKey));
  return {
    apiKey,
    // Linear takes access tokens with `Bearer`, and API keys without.
    authorization: isToken ? `Bearer ${apiKey}` : apiKey,
    teamKey: readTrimmedSetting(values, 'teamKey'),
    api: `${baseUrl}/graphql`,
  };
}

export const linearPlugin = createBuiltInTracker(
  {
    contract: 1,
    id: 'linear',
    kind: 'tracker',
    title: 'Issues of Linear',
    entry: 'built-in',
    offers: ['healthcheck'],
    settings: {
      apiKey: {
        type: 'string',
        secret: true,
        required: true,
        env: 'LINEAR_API_KEY',
        description:
          'API key of the account that svc acts as, with read and write; or an access token of OAuth.',
      },
      teamKey: {
        type: 'string',
        description:
          'Key of a team, such as ENG: searches are limited to it. Default: all teams that the key may see.',
      },
      baseUrl: {
        type: 'string',
        description: 'Address of the API where it is another than https://api.linear.app.',
      },
      ...REMOTE_TRACKER_SETTINGS,
    },
    webhook: LINEAR_SIGNATURE,
  },
  async ({ config }, { openAccount }) => {
    const settings = readLinearSettings(config);
    const account = { host: new URL(settings.api).host, secret: settings.apiKey };
    const accountClient = openAccount(account, {
      perJob: readRequestsPerJob(config),
      writeGapMs: TRACKER_WRITE_GAP_MS,
    });
    const { createLinearTracker } = await import('./tracker/tracker.ts');
    return createLinearTracker({ settings, accountClient });
  },
  linearWebhook,
  { config: { apiKey: 'sample' } },
);
