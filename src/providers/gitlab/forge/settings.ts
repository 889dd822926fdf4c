import { readTrimmedSetting } from '../../../base/settings/readTrimmedSetting.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { checkSlug } from '../../../git/gitNames.ts';
import { checkBaseUrl } from '../../rest/checkBaseUrl.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

export interface GitlabSettings {
  token: string;
  api: string;
  web: string;
  /** Group for slugs without one; empty = every slug has its own. */
  workspace: string;
  /** Whether a merge squashes; false = as the project or the merge request says. */
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

function isGitlabPath(path: string): boolean {
  try {
    checkSlug(path);
  } catch {
    return false;
  }
  return path.split('/').every((part) => !/\.atom$/i.test(part));
}

/** Full path of a project, with groups nested to any depth; null for an invalid slug. */
export function resolveGitlabPath(
  { workspace }: Pick<GitlabSettings, 'workspace'>,
  slug: string,
): string | null {
  const path = slug.includes('/') || workspace === '' ? slug : `${workspace}/${slug}`;
  return path.includes('/') && isGitlabPath(path) ? path : null;
}
