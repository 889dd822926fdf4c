import { checkBaseUrl } from '../../rest/baseUrl.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

/** How svc works with one GitHub account. */
export interface GithubSettings {
  token: string;
  /** Address of the API, without a slash at its end. */
  api: string;
  /** Address of the server for people and git. */
  web: string;
  /** Owner of repositories that are named without one; empty = every slug has its owner. */
  workspace: string;
  mergeMethod: 'merge' | 'squash' | 'rebase';
}

const text = (values: Values, name: string): string => String(values[name] ?? '').trim();

/**
 * Reads the settings of the plugin. Throws SvcError `config-invalid` that never quotes the token.
 */
export function githubSettings(values: Values): GithubSettings {
  const baseUrl = checkBaseUrl('github', 'a GitHub Enterprise server', values.baseUrl);
  const method = text(values, 'mergeMethod');
  const settings: Omit<GithubSettings, 'api' | 'web'> = {
    token: text(values, 'token'),
    workspace: text(values, 'workspace'),
    mergeMethod: method === 'squash' || method === 'rebase' ? method : 'merge',
  };
  if (baseUrl === '')
    return { ...settings, api: 'https://api.github.com', web: 'https://github.com' };
  return { ...settings, api: `${baseUrl}/api/v3`, web: baseUrl };
}

const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/;
const NAME = /^[A-Za-z0-9_.-]{1,100}$/;

/**
 * Owner and name of a repository. Throws SvcError `bad-argument`; `null` asks only whether it could
 * be one.
 */
export function splitSlug(
  { workspace }: Pick<GithubSettings, 'workspace'>,
  slug: string,
): { owner: string; repo: string } | null {
  const parts = slug.split('/');
  const [owner, repo] = parts.length === 1 && workspace !== '' ? [workspace, parts[0]] : parts;
  if (
    parts.length > 2 ||
    owner === undefined ||
    repo === undefined ||
    !OWNER.test(owner) ||
    !NAME.test(repo)
  )
    return null;
  return /^\.+$|\.git$|\.\./i.test(repo) ? null : { owner, repo };
}
