import { resolveGithubAddresses } from '../providers/github/forge/settings.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';

/** Default web addresses of the forges, used where the configuration names no server. */
const SITES: Readonly<Record<string, string>> = {
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
};

/** Empty for an address that the plugin refuses. */
function listGithubSites(baseUrl: unknown): { forge: string; web: string }[] {
  try {
    return [{ forge: 'github', web: resolveGithubAddresses(String(baseUrl ?? '')).web }];
  } catch {
    return [];
  }
}

/**
 * The sites of those forges that are part of svc, without a trailing slash. The addresses of a
 * plugin's forge are known only to the plugin.
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
