import { checkBaseUrl } from '../../rest/baseUrl.ts';
import type { LinearSettings } from './client.ts';

/** Reads the settings of the plugin. Throws SvcError `config-invalid`. */
export function linearSettings(
  values: Readonly<Record<string, string | number | boolean>>,
): LinearSettings {
  const baseUrl = checkBaseUrl('linear', 'the API', values.baseUrl) || 'https://api.linear.app';
  return {
    apiKey: String(values.apiKey).trim(),
    teamKey: String(values.teamKey ?? '').trim(),
    api: `${baseUrl}/graphql`,
  };
}
