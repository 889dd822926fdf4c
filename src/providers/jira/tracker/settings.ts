import { readTrimmedSetting } from '../../../base/settings/readTrimmedSetting.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { checkBaseUrl } from '../../rest/checkBaseUrl.ts';
import { buildGatewayUrl, isCloudId, isGatewayUrl } from './apiAddress.ts';

export interface JiraSettings {
  /** Address of the site for people, without a trailing slash. */
  web: string;
  /** Base address of the API; null = Atlassian's gateway, with the id that the site gives. */
  api: string | null;
  /**
   * Jira Cloud speaks version 3 with documents, Data Center and Server version 2 with plain texts.
   */
  version: 2 | 3;
  authorization: string;
  token: string;
}

const createJiraSettingError = (message: string): SvcError =>
  new SvcError('config-invalid', `plugins.installed.jira.config.${message}`);

/** At the site itself unless the settings say otherwise. */
function resolveJiraApi(web: string, apiUrl: string, cloudId: string): string | null {
  if (apiUrl !== '' && cloudId !== '')
    throw createJiraSettingError(
      'apiUrl and cloudId both say where the API is: leave one of them out.',
    );
  if (apiUrl !== '') return apiUrl;
  if (cloudId === '') return web;
  if (cloudId.toLowerCase() === 'auto') return null;
  if (isCloudId(cloudId)) return buildGatewayUrl(cloudId);
  throw createJiraSettingError(
    'cloudId must be auto, or the id that <site>/_edge/tenant_info names.',
  );
}

/**
 * Reads the settings of the plugin. Throws SvcError `config-invalid` that never quotes the token.
 */
export function readJiraSettings(
  values: Readonly<Record<string, string | number | boolean>>,
): JiraSettings {
  const web = checkBaseUrl('jira', 'the Jira site', values.baseUrl);
  const apiUrl = checkBaseUrl('jira', 'the API', values.apiUrl, 'apiUrl');
  const [token, username] = [
    readTrimmedSetting(values, 'token'),
    readTrimmedSetting(values, 'username'),
  ];
  if (web === '') throw createJiraSettingError('baseUrl is empty: https://<site>.atlassian.net.');
  if (new URL(web).hostname === 'api.atlassian.com')
    throw createJiraSettingError(
      'baseUrl must be the site where people see issues, https://<site>.atlassian.net: the id behind /ex/jira/ goes into cloudId.',
    );
  const api = resolveJiraApi(web, apiUrl, readTrimmedSetting(values, 'cloudId'));
  const isCloud =
    values.deployment === 'cloud' ||
    (values.deployment !== 'datacenter' && (username !== '' || isGatewayUrl(api)));
  // Behind the gateway a token of a service account needs no user name.
  if (isCloud && username === '' && !isGatewayUrl(api))
    throw createJiraSettingError(
      'username is missing: Jira Cloud needs the e-mail address of the account that owns the API token.',
    );
  const basic = Buffer.from(`${username}:${token}`).toString('base64');
  return {
    web,
    api,
    token,
    version: isCloud ? 3 : 2,
    authorization: isCloud && username !== '' ? `Basic ${basic}` : `Bearer ${token}`,
  };
}
