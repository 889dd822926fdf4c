import { parseClaudeTool } from '../../../base/agents/claudeTools.ts';
import { findClosestName } from '../../../base/text/findClosestName.ts';
import { createForgeTools } from '../forge/createForgeTools.ts';
import { TOOL_SERVER_ID, listToolNames, buildToolCatalogue } from './buildToolCatalogue.ts';
import { ALL_EXTERNAL, OWN_PROVIDER_PATTERNS, type ToolList } from './toolPatterns.ts';
import { isTrackerTool } from '../forge/createTrackerTools.ts';
import { OBSERVABILITY_TOOLS } from '../forge/createObservabilityTools.ts';

/** Tools that every executor has and that a phase may restrict. */
export const BUILT_IN_TOOLS = ['read', 'write', 'edit', 'shell', 'glob', 'grep', 'skill'] as const;
/** Always allowed: an agent must be able to say what it does and to give the job to people. */
const ALWAYS_ALLOWED = ['log', 'escalate'];

const OWN_PREFIX = `mcp__${TOOL_SERVER_ID}__`;
/** `mcp__<server>` means all tools of an external server, `mcp__<server>__<tool>` one of them. */
const EXTERNAL = /^mcp__([A-Za-z0-9][A-Za-z0-9._-]*?)(?:__(.+))?$/;

const stripOwnPrefix = (name: string): string =>
  name.startsWith(OWN_PREFIX) ? name.slice(OWN_PREFIX.length) : name;

/**
 * Whether a phase gets this tool of the job's server only if its own list names it, whatever the
 * forge.
 */
export function needsListing(name: string): boolean {
  const ownName = stripOwnPrefix(name);
  const isListed = ({ onlyListed }: { onlyListed?: boolean }): boolean => onlyListed === true;
  return (
    buildToolCatalogue([]).get(ownName)?.onlyListed === true ||
    createForgeTools('')
      .filter(isListed)
      .some((one) => ownName.endsWith(one.name))
  );
}

export const allowsJobTool = (list: ToolList, name: string): boolean =>
  list === null
    ? !needsListing(name)
    : ALWAYS_ALLOWED.includes(name) || list.some((one) => stripOwnPrefix(one) === name);

/**
 * What a phase and its agent allow together. Tools that need listing count only if the phase lists
 * them.
 */
export function derivePhaseToolList(ofPhase: ToolList, ofAgent: ToolList): ToolList {
  const both = intersectToolLists(ofPhase, ofAgent);
  return ofPhase === null && both !== null ? both.filter((name) => !needsListing(name)) : both;
}

/** The executor's own tools that the list allows; null = all. */
export const pickAllowedBuiltIns = (list: ToolList): string[] | null =>
  list && BUILT_IN_TOOLS.filter((name) => list.includes(name));

/** What the list allows of an external server: null = all of its tools, empty = nothing. */
export function pickAllowedServerTools(list: ToolList, serverId: string): string[] | null {
  if (list === null || list.includes(ALL_EXTERNAL)) return null;
  const externalTools = list.flatMap((one) => {
    const [, id, tool] = one.startsWith(OWN_PREFIX) ? [] : (EXTERNAL.exec(one) ?? []);
    return id === serverId ? [tool ?? null] : [];
  });
  return externalTools.includes(null) ? null : externalTools.filter((tool) => tool !== null);
}

/** Ids of the external servers that a list names; `mcp__*` names none. */
export const listNamedServers = (list: ToolList): string[] => [
  ...new Set(
    (list ?? []).flatMap((one) => {
      if (one.startsWith(OWN_PREFIX) || one === `mcp__${TOOL_SERVER_ID}`) return [];
      return EXTERNAL.exec(one)?.[1] ?? [];
    }),
  ),
];

/** What both lists allow: that of a phase and that of its agent. */
export function intersectToolLists(one: ToolList, other: ToolList): ToolList {
  if (one === null || other === null) return one ?? other;
  const inOther = (name: string): boolean => {
    const [, id, tool] = name.startsWith(OWN_PREFIX) ? [] : (EXTERNAL.exec(name) ?? []);
    if (id === undefined)
      return other.some((each) => stripOwnPrefix(each) === stripOwnPrefix(name));
    const allowedTools = pickAllowedServerTools(other, id);
    return allowedTools === null || (tool !== undefined && allowedTools.includes(tool));
  };
  const narrower = other.filter((name) => {
    const [, id, tool] = name.startsWith(OWN_PREFIX) ? [] : (EXTERNAL.exec(name) ?? []);
    if (id === undefined) return false;
    return one.includes(ALL_EXTERNAL) || (tool !== undefined && one.includes(`mcp__${id}`));
  });
  return [...new Set([...one.filter(inOther), ...narrower])];
}

const OTHER_NAMES: Readonly<Record<string, (typeof BUILT_IN_TOOLS)[number]>> = {
  bash: 'shell',
  execute: 'shell',
  find: 'glob',
  ls: 'glob',
  multiedit: 'edit',
  read_file: 'read',
  run_command: 'shell',
  search: 'grep',
  str_replace: 'edit',
  terminal: 'shell',
  view: 'read',
  write_file: 'write',
};

/**
 * For the linter: a note about a name that no tool has; null = the tool exists. Tools of other
 * forges and of services that are not configured count as known: a workflow may be written for
 * several runners.
 */
export function createUnknownToolExplainer(
  forges: readonly string[],
): (name: string) => string | null {
  const verbs = createForgeTools('').map(({ name }) => name);
  const knownNames = [
    ...new Set([
      ...BUILT_IN_TOOLS,
      ...listToolNames(forges),
      ...OWN_PROVIDER_PATTERNS,
      ...OBSERVABILITY_TOOLS,
      ALL_EXTERNAL,
    ]),
  ];
  return (pattern) => {
    const name = stripOwnPrefix(pattern);
    if (
      knownNames.includes(name) ||
      isTrackerTool(name) ||
      verbs.some((verb) => name.endsWith(verb) && /^[a-z][a-z0-9-]*_/.test(name))
    )
      return null;
    if (!pattern.startsWith(OWN_PREFIX) && EXTERNAL.test(pattern)) return null;
    const near =
      parseClaudeTool(name)?.own ??
      OTHER_NAMES[name.toLowerCase()] ??
      findClosestName(name, knownNames);
    if (near !== null) return `Did you mean ${near}?`;
    return `Built in: ${BUILT_IN_TOOLS.join(', ')}. Of the job: \`svc tool --list\`. Of its own forge and tracker: scm_<verb>, tracker_<verb>. Of other servers: mcp__<server>__<tool>, or ${ALL_EXTERNAL} for all.`;
  };
}
