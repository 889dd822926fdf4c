import { readTrimmedSetting } from '../../../base/settings/readTrimmedSetting.ts';
import { checkBaseUrl } from '../../rest/checkBaseUrl.ts';
import type { LinearSettings } from './client.ts';

/** Prefix of access tokens of OAuth applications; API keys have another. */
const OAUTH = /^lin_oauth_/;
const API_KEY = /^lin_api_/;

/** Reads the settings of the plugin. Throws SvcError `config-invalid`. */
export function readLinearSettings(
  values: Readonly<Record<string, string | number | boolean>>,
): LinearSettings {
  const baseUrl = checkBaseUrl('linear', 'the API', values.baseUrl) || 'https://api.linear.app';
  const given = String(values.apiKey).trim();
  const apiKey = given.replace(/^Bearer\s+/i, '');
  const isToken = OAUTH.test(apiKey) || (apiKey !== given && !API_KEY.test(apiKey));
  return {
    apiKey,
    // Linear takes access tokens with `Bearer`, and API keys without.
    authorization: isToken ? `Bearer ${apiKey}` : apiKey,
    teamKey: readTrimmedSetting(values, 'teamKey'),
    api: `${baseUrl}/graphql`,
  };
}
