import { suggestClosestName } from '../../../base/text/findClosestName.ts';
import { createForgeTools } from '../forge/createForgeTools.ts';
import { TRACKER_VERBS, toTrackerPrefix } from '../forge/createTrackerTools.ts';

/** Ids that are part of svc, configured or not: a workflow may be written for another home. */
const BUILT_IN_FORGES = ['local', 'github', 'gitlab', 'bitbucket'];
const BUILT_IN_TRACKERS = ['jira', 'linear', 'github-issues'];
/** Stands for the job's own provider. */
const OWN_FORGE = 'scm';
const OWN_TRACKER = 'tracker';

const FORGE_VERBS = createForgeTools('').map(({ name }) => name.slice(1));

function splitToolVerb(
  name: string,
  verbs: readonly string[],
): { id: string; verb: string } | null {
  const verb = verbs.find((one) => name.endsWith(`_${one}`));
  if (verb === undefined) return null;
  return { id: name.slice(0, -verb.length - 1), verb };
}

/** Whether a tool is named as those of a forge or tracker are, configured or not. */
export const isProviderToolName = (name: string): boolean =>
  (splitToolVerb(name, FORGE_VERBS) ?? splitToolVerb(name, TRACKER_VERBS)) !== null;

/**
 * For the linter: a note about a tool whose forge or tracker is neither part of svc nor installed;
 * null = it is known, or belongs to no forge or tracker. `providerIds`: ids of both kinds. Such a
 * tool is silently not offered.
 */
export function createUnknownProviderExplainer(
  providerIds: readonly string[],
): (name: string) => { message: string; hint: string } | null {
  const forges = [...new Set([...BUILT_IN_FORGES, ...providerIds])];
  const trackers = [...new Set([...BUILT_IN_TRACKERS, ...providerIds])].map(toTrackerPrefix);
  return (pattern) => {
    const name = pattern.replace(/^mcp__svc__/, '');
    if (name.startsWith('mcp__')) return null;
    const ofForge = splitToolVerb(name, FORGE_VERBS);
    const parts = ofForge ?? splitToolVerb(name, TRACKER_VERBS);
    if (parts === null) return null;
    const [kind, known, own] = ofForge
      ? (['forge', forges, OWN_FORGE] as const)
      : (['tracker', trackers, OWN_TRACKER] as const);
    if (parts.id === own || known.includes(parts.id)) return null;
    return {
      message: `No ${kind} ${parts.id} is installed, so ${name} is not offered.`,
      hint: `${suggestClosestName(
        name,
        known.map((id) => `${id}_${parts.verb}`),
      )} ${own}_${parts.verb} is that of the job's own ${kind}.`,
    };
  };
}
