import { readTrimmedSetting } from '../../../shared/settings/readTrimmedSetting.ts';
import { SvcError } from '../../../shared/errors/errors.ts';
import { checkSlug } from '../../../git/gitNames.ts';
import { checkBaseUrl } from '../../rest/checkBaseUrl.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

/** How svc works with one GitLab account. */
export interface GitlabSettings {
  token: string;
  /** Address of the API, without a slash at its end. */
  api: string;
  /** Address of the server for people and git. */
  web: string;
  /** Group of projects that are named without one; empty = every slug has its group. */
  workspace: string;
  /** Whether a merge makes one commit of all; false = as the project or the merge request says. */
  squash: boolean;
}

/**
 * Reads the settings of the plugin. Throws SvcError `config-invalid` that never quotes the token.
 */
export function readGitlabSettings(values: Values): GitlabSettings {
  const web = checkBaseUrl('gitlab', 'a GitLab server', values.baseUrl) || 'https://gitlab.com';
  const workspace = readTrimmedSetting(values, 'workspace').replace(/^\/+|\/+$/g, '');
  if (workspace !== '' && !isGitlabPath(workspace)) {
    throw new SvcError(
      'config-invalid',
      'plugins.installed.gitlab.config.workspace must be the path of a group: acme, or acme/team.',
    );
  }
  return {
    token: readTrimmedSetting(values, 'token'),
    api: `${web}/api/v4`,
    web,
    workspace,
    squash: readTrimmedSetting(values, 'mergeMethod') === 'squash',
  };
}

/** Whether GitLab could have a group or project of this path, and a mirror could be named so. */
function isGitlabPath(path: string): boolean {
  try {
    checkSlug(path);
  } catch {
    return false;
  }
  return path.split('/').every((part) => !/\.atom$/i.test(part));
}

/** Full path of a project, whose groups may be nested to any depth; null for what cannot be one. */
export function resolveGitlabPath(
  { workspace }: Pick<GitlabSettings, 'workspace'>,
  slug: string,
): string | null {
  const path = slug.includes('/') || workspace === '' ? slug : `${workspace}/${slug}`;
  return path.includes('/') && isGitlabPath(path) ? path : null;
}
