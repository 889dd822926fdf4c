import type { PluginSettings } from '../schema/settings.ts';

/**
 * Where people see the repositories of a forge, where the configuration names no server of its own.
 */
const SITES: Readonly<Record<string, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
};

/**
 * The sites of these forges, without a slash at their end: what stands before a repository in an
 * address.
 */
export const forgeSites = (
  forges: readonly string[],
  settings: Readonly<Record<string, PluginSettings>>,
): { forge: string; web: string }[] =>
  forges.flatMap((forge) => {
    const { baseUrl } = settings[forge]?.config ?? {};
    const web =
      typeof baseUrl === 'string' && baseUrl.trim() !== '' ? baseUrl.trim() : SITES[forge];
    return web === undefined ? [] : { forge, web: web.replace(/\/+$/, '') };
  });
