import { resolveOwnForgeTool, parseProviderPattern, type OwnProviders } from './toolPatterns.ts';

/** What is missing for a tool of the job's own provider; '' = the name is no such tool. */
function explainProviderPattern(name: string, own: OwnProviders, restricted: boolean): string {
  const stands = parseProviderPattern(name);
  if (stands === null) return '';
  if (own[stands.of] === null) {
    const lacks = stands.of === 'forge' ? 'repository at a forge' : 'ticket of a tracker';
    return ` It stands for ${stands.verb} of the job's own ${stands.of}, and this job has no ${lacks}.`;
  }
  const forgeTool = stands.of === 'forge' ? resolveOwnForgeTool(name, own.forge) : null;
  return forgeTool !== null && restricted
    ? ` It stands for ${forgeTool} here, which the list tools of the phase or of its agent does not allow.`
    : '';
}

export function explainMissingTool(
  name: string,
  knownTools: readonly string[],
  { own, restricted }: { own: OwnProviders; restricted: boolean },
): string {
  const missing = restricted
    ? `This phase has no tool "${name}".`
    : `The tool ${name} does not exist.`;
  return `${missing}${explainProviderPattern(name, own, restricted)} The tools are: ${knownTools.join(', ')}.`;
}

/** Why a phase does not have a tool that only its own list gives it. */
export const explainUnlistedTool = (name: string, phase: string): string =>
  `This phase has no tool "${name}": it is offered only where the key tools of the phase ${phase} in the front matter of the workflow lists it. Continue without it; a person can do it, or add the tool there.`;
