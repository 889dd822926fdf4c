import { SvcError } from '../../../lib/errors.ts';
import { checkBaseUrl } from '../../rest/baseUrl.ts';

/** How svc works with one Jira account. */
export interface JiraSettings {
  /** Address of the site, without a slash at its end. */
  web: string;
  /**
   * Jira Cloud speaks version 3 with documents, Data Center and Server version 2 with plain texts.
   */
  version: 2 | 3;
  /** The header `Authorization`. */
  authorization: string;
  token: string;
}

const text = (value: unknown): string => String(value ?? '').trim();

/**
 * Reads the settings of the plugin. Throws SvcError `config-invalid` that never quotes the token.
 */
export function jiraSettings(
  values: Readonly<Record<string, string | number | boolean>>,
): JiraSettings {
  const web = checkBaseUrl('jira', 'the Jira site', values.baseUrl);
  const [token, username] = [text(values.token), text(values.username)];
  const isCloud =
    values.deployment === 'cloud' || (values.deployment !== 'datacenter' && username !== '');
  if (isCloud && username === '') {
    throw new SvcError(
      'config-invalid',
      'plugins.installed.jira.config.username is missing: Jira Cloud needs the e-mail address of the account that owns the API token.',
    );
  }
  if (web === '')
    throw new SvcError(
      'config-invalid',
      'plugins.installed.jira.config.baseUrl is empty: https://<site>.atlassian.net.',
    );
  const basic = Buffer.from(`${username}:${token}`).toString('base64');
  return {
    web,
    token,
    version: isCloud ? 3 : 2,
    authorization: isCloud ? `Basic ${basic}` : `Bearer ${token}`,
  };
}
