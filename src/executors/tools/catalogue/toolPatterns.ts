import { createForgeTools } from '../forge/createForgeTools.ts';
import { scmTools } from '../forge/scm.ts';
import { TRACKER_VERBS, toTrackerPrefix } from '../forge/createTrackerTools.ts';

const FORGE_PATTERN = 'scm_';
const TRACKER_PATTERN = 'tracker_';

export const ALL_EXTERNAL = 'mcp__*';

/** The tools of a forge, without its id: `create_pr`, … */
const FORGE_VERBS: readonly string[] = createForgeTools('').map(({ name }) => name.slice(1));
const SCM_TOOLS: readonly string[] = scmTools.map(({ name }) => name);

/** Every name by which a list can mean the job's own providers. */
export const OWN_PROVIDER_PATTERNS: readonly string[] = [
  ...new Set([
    ...SCM_TOOLS,
    ...FORGE_VERBS.map((verb) => `${FORGE_PATTERN}${verb}`),
    ...TRACKER_VERBS.map((verb) => `${TRACKER_PATTERN}${verb}`),
  ]),
];

export type ToolList = readonly string[] | null;

export interface OwnProviders {
  forge: string | null;
  tracker: string | null;
}

export const NO_PROVIDERS: OwnProviders = { forge: null, tracker: null };

/** The tool of the job's forge that `scm_<verb>` means; null for an unknown verb. */
export function resolveOwnForgeTool(name: string, forge: string | null): string | null {
  const verb = name.startsWith(FORGE_PATTERN) ? name.slice(FORGE_PATTERN.length) : '';
  return forge !== null && FORGE_VERBS.includes(verb) ? `${forge}_${verb}` : null;
}

/** The verb and the provider of the job that a name stands for; null = it is no such name. */
export function parseProviderPattern(
  name: string,
): { of: keyof OwnProviders; verb: string } | null {
  const forgeVerb = name.startsWith(FORGE_PATTERN) ? name.slice(FORGE_PATTERN.length) : '';
  if (FORGE_VERBS.includes(forgeVerb)) return { of: 'forge', verb: forgeVerb };
  const trackerVerb = name.startsWith(TRACKER_PATTERN) ? name.slice(TRACKER_PATTERN.length) : '';
  return TRACKER_VERBS.includes(trackerVerb) ? { of: 'tracker', verb: trackerVerb } : null;
}

/** `scm_<verb>` for a tool of the job's forge; null for any other tool. */
export function toForgePattern(tool: string, forge: string | null): string | null {
  if (forge === null || !tool.startsWith(`${forge}_`)) return null;
  const verb = tool.slice(forge.length + 1);
  const name = `${FORGE_PATTERN}${verb}`;
  return FORGE_VERBS.includes(verb) && !SCM_TOOLS.includes(name) ? name : null;
}

function expandToolPattern(name: string, { forge, tracker }: OwnProviders): string[] {
  if (name.startsWith(FORGE_PATTERN)) {
    const own = resolveOwnForgeTool(name, forge);
    return [...(SCM_TOOLS.includes(name) ? [name] : []), ...(own === null ? [] : [own])];
  }
  if (!name.startsWith(TRACKER_PATTERN)) return [name];
  const verb = name.slice(TRACKER_PATTERN.length);
  return tracker === null ? [] : [name, `${toTrackerPrefix(tracker)}_${verb}`];
}

/**
 * Replaces patterns of a list by tool names: `scm_<verb>` becomes that verb of the job's forge,
 * `tracker_<verb>` that of its tracker. Patterns of a provider that the job does not have are left
 * out; `mcp__*` stays. null = all tools, unchanged.
 */
export function expandOwnProviders(list: ToolList, own: OwnProviders): ToolList {
  if (list === null) return null;
  return list.flatMap((pattern) => {
    const name = pattern.replace(/^mcp__svc__/, '');
    const matchingTools = expandToolPattern(name, own);
    return matchingTools.length === 1 && matchingTools[0] === name ? [pattern] : matchingTools;
  });
}
