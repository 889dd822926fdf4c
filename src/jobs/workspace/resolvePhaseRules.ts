import {
  pickAllowedBuiltIns,
  pickAllowedServerTools,
  allowsJobTool,
  derivePhaseToolList,
} from '../../executors/tools/catalogue/toolAllowlist.ts';
import {
  type OwnProviders,
  type ToolList,
  expandOwnProviders,
} from '../../executors/tools/catalogue/toolPatterns.ts';
import type { McpServer } from '../../contract/schema/session/mcpServer.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import type { ResolvedOverlay } from './jobOverlays.ts';

export interface PhaseRules {
  /** Allowed names; null = all. */
  tools: ToolList;
  isAllowed(name: string): boolean;
  /** The executor's own tools; null = all. */
  builtInTools: readonly string[] | null;
  /** External servers, restricted to the tools that the phase allows. */
  mcpServers: readonly McpServer[];
}

type ResolvedLayers = Pick<ResolvedOverlay, 'overlay' | 'mcp'>;

/** What the phase and its agent allow of the available tools; `own`: providers of the job. */
export function resolvePhaseRules(
  { overlay, mcp }: ResolvedLayers,
  phase: PhaseDefinition,
  own: OwnProviders,
): PhaseRules {
  const ofAgent =
    phase.agent !== null && overlay.has(phase.agent) ? overlay.agent(phase.agent).tools : null;
  const tools = derivePhaseToolList(
    expandOwnProviders(phase.tools ?? null, own),
    expandOwnProviders(ofAgent, own),
  );
  return {
    tools,
    isAllowed: (name) => allowsJobTool(tools, name),
    builtInTools: pickAllowedBuiltIns(tools),
    mcpServers: mcp.servers.flatMap((server) => {
      const allowedServerTools = pickAllowedServerTools(tools, server.id);
      if (allowedServerTools === null) return [server];
      const { allowedTools } = server;
      const both =
        allowedTools === null
          ? allowedServerTools
          : allowedServerTools.filter((tool) => allowedTools.includes(tool));
      return both.length === 0 ? [] : [{ ...server, allowedTools: both }];
    }),
  };
}

/** The external servers of a phase, which do not depend on the job's providers. */
export const listPhaseServers = (
  resolved: ResolvedLayers,
  phase: PhaseDefinition,
): readonly McpServer[] =>
  resolvePhaseRules(resolved, phase, { forge: null, tracker: null }).mcpServers;

/** For the job's log; null = none. Names only: other parts of a server can hold secrets. */
export const formatServersLine = (servers: readonly McpServer[]): string | null =>
  servers.length === 0
    ? null
    : `${servers.length === 1 ? '1 server' : `${servers.length} servers`}: ${servers.map(({ id, origin, transport }) => `${id} (${origin}, ${transport})`).join(', ')}`;
