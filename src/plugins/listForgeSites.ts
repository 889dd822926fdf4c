import { resolveGithubAddresses } from '../providers/github/forge/settings.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';

/**
 * Where people see the repositories of a forge, where the configuration names no server of its own.
 */
const SITES: Readonly<Record<string, string>> = {
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
};

/** None for an address that the plugin refuses. */
function listGithubSites(baseUrl: unknown): { forge: string; web: string }[] {
  try {
    return [{ forge: 'github', web: resolveGithubAddresses(String(baseUrl ?? '')).web }];
  } catch {
    return [];
  }
}

/**
 * The sites of those among these forges that are part of svc, without a slash at their end: what
 * stands before a repository in an address. What addresses a plugin's forge has, only that knows.
 */
export const listForgeSites = (
  forges: readonly string[],
  settings: Readonly<Record<string, PluginSettings>>,
): { forge: string; web: string }[] =>
  forges.flatMap((forge) => {
    const { baseUrl } = settings[forge]?.config ?? {};
    if (forge === 'github') return listGithubSites(baseUrl);
    const site = SITES[forge];
    if (site === undefined) return [];
    const web = typeof baseUrl === 'string' && baseUrl.trim() !== '' ? baseUrl.trim() : site;
    return { forge, web: web.replace(/\/+$/, '') };
  });
