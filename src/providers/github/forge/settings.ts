import { readTrimmedSetting } from '../../../base/settings/readTrimmedSetting.ts';
import { readGithubApp, type GithubApp } from '../app/appSettings.ts';
import { checkBaseUrl } from '../../rest/checkBaseUrl.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

export type MergeMethod = 'merge' | 'squash' | 'rebase';

export interface GithubSettings {
  /** Token of an account; empty with an app. */
  token: string;
  /** The app that svc acts as; null = the token's account. */
  app: GithubApp | null;
  api: string;
  web: string;
  /** Owner for slugs without one; empty = every slug has its own. */
  workspace: string;
  /** null = the first of merge, squash and rebase that the repository allows. */
  mergeMethod: MergeMethod | null;
}

/** github.com, as people write its address too. */
const GITHUB_COM = /^https:\/\/(?:www\.|api\.)?github\.com$/i;
const DATA_RESIDENCY = /^https:\/\/(?:api\.)?([a-z0-9-]+\.ghe\.com)$/i;

/**
 * Addresses of a server for people, git and the API: github.com, a company's server at ghe.com, or
 * GitHub Enterprise Server. Throws SvcError `config-invalid`.
 */
export function resolveGithubAddresses(value: Values[string] | undefined): {
  api: string;
  web: string;
} {
  const baseUrl = checkBaseUrl('github', 'a GitHub Enterprise server', value).replace(
    /\/api(?:\/v3|\/graphql)?$/,
    '',
  );
  if (baseUrl === '' || GITHUB_COM.test(baseUrl))
    return { api: 'https://api.github.com', web: 'https://github.com' };
  const [, place] = DATA_RESIDENCY.exec(baseUrl) ?? [];
  if (place !== undefined)
    return { api: `https://api.${place.toLowerCase()}`, web: `https://${place.toLowerCase()}` };
  return { api: `${baseUrl}/api/v3`, web: baseUrl };
}

/**
 * Reads the settings of the plugin. Throws SvcError `config-invalid` that never quotes the token.
 */
export function readGithubSettings(values: Values): GithubSettings {
  const method = readTrimmedSetting(values, 'mergeMethod');
  return {
    app: readGithubApp(values),
    token: readTrimmedSetting(values, 'token'),
    workspace: readTrimmedSetting(values, 'workspace'),
    mergeMethod: method === 'merge' || method === 'squash' || method === 'rebase' ? method : null,
    ...resolveGithubAddresses(values.baseUrl),
  };
}

const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/;
const NAME = /^[A-Za-z0-9_.-]{1,100}$/;

/** Owner and name of a repository; null = the slug is invalid. */
export function splitGithubSlug(
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
