import { readTrimmedSetting } from '../../../base/settings/readTrimmedSetting.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { checkBaseUrl } from '../../rest/checkBaseUrl.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

export const MERGE_STRATEGIES = [
  'merge_commit',
  'squash',
  'fast_forward',
  'squash_fast_forward',
  'rebase_fast_forward',
  'rebase_merge',
] as const;

export interface BitbucketSettings {
  token: string;
  /**
   * E-mail or user name of the token; empty = an access token of a repository, project or
   * workspace.
   */
  username: string;
  api: string;
  web: string;
  /** Workspace for slugs without one; empty = every slug has its own. */
  workspace: string;
  mergeStrategy: string;
  /** Key of the project that new repositories go to; empty = Bitbucket's choice, the oldest. */
  project: string;
}

/** Data Center has another API; its addresses are known by their paths. */
function checkCloud(baseUrl: string): void {
  const path = baseUrl === '' ? '' : new URL(baseUrl).pathname;
  if (!/\/rest(\/|$)/.test(path)) return;
  throw new SvcError(
    'config-invalid',
    'plugins.installed.bitbucket.config.baseUrl points to a Bitbucket Data Center, whose API svc does not support: bitbucket is for Bitbucket Cloud.',
  );
}

function checkBitbucketProject(key: string): string {
  if (key === '' || /^[A-Za-z][A-Za-z0-9_]{0,127}$/.test(key)) return key;
  throw new SvcError(
    'config-invalid',
    'plugins.installed.bitbucket.config.project must be the key of a project of the workspace, such as SHOP.',
  );
}

/**
 * Reads the settings of the plugin. Throws SvcError `config-invalid` that never quotes the token.
 */
export function readBitbucketSettings(values: Values): BitbucketSettings {
  const baseUrl = checkBaseUrl('bitbucket', 'a proxy of Bitbucket Cloud', values.baseUrl).replace(
    /\/2\.0$/,
    '',
  );
  checkCloud(baseUrl);
  const method = readTrimmedSetting(values, 'mergeMethod');
  return {
    token: readTrimmedSetting(values, 'token'),
    username: readTrimmedSetting(values, 'username'),
    workspace: readTrimmedSetting(values, 'workspace'),
    project: checkBitbucketProject(readTrimmedSetting(values, 'project')),
    mergeStrategy: MERGE_STRATEGIES.some((strategy) => strategy === method)
      ? method
      : 'merge_commit',
    api: `${baseUrl === '' ? 'https://api.bitbucket.org' : baseUrl}/2.0`,
    web: baseUrl === '' ? 'https://bitbucket.org' : baseUrl,
  };
}

export const formatBitbucketAuthorization = ({
  username,
  token,
}: Pick<BitbucketSettings, 'username' | 'token'>): string =>
  username === ''
    ? `Bearer ${token}`
    : `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;

/**
 * The user name for git beside the token. Bitbucket has a fixed one for each kind of token, and
 * accepts neither an e-mail nor an empty name.
 */
export const pickBitbucketGitUser = ({ username }: Pick<BitbucketSettings, 'username'>): string =>
  username === ''
    ? 'x-token-auth'
    : username.includes('@')
      ? 'x-bitbucket-api-token-auth'
      : username;

const WORKSPACE = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61})$/;
const NAME = /^[A-Za-z0-9_.-]{1,100}$/;

export function splitBitbucketSlug(
  { workspace: own }: Pick<BitbucketSettings, 'workspace'>,
  slug: string,
): { workspace: string; repo: string } | null {
  const parts = slug.split('/');
  const [workspace, repo] = parts.length === 1 && own !== '' ? [own, parts[0]] : parts;
  if (parts.length > 2 || workspace === undefined || repo === undefined) return null;
  if (!WORKSPACE.test(workspace) || !NAME.test(repo)) return null;
  return /^\.+$|\.git$|\.\./i.test(repo) ? null : { workspace, repo };
}
