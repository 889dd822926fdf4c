import {
  allowedBuiltIns,
  allowedOfServer,
  allowsJobTool,
  phaseToolList,
  type ToolList,
} from '../tools/toolAllowlist.ts';
import type { McpServer } from '../schema/mcpServer.ts';
import type { PhaseDefinition } from '../schema/workflow.ts';
import type { ResolvedOverlay } from './jobOverlays.ts';

/** What the agent of a phase may use. */
export interface PhaseRules {
  /** Names that are allowed; null = all. */
  tools: ToolList;
  isAllowed(name: string): boolean;
  /** Of the executor's own tools; null = all. */
  builtInTools: readonly string[] | null;
  /** External servers, narrowed to the tools that the phase allows. */
  mcpServers: readonly McpServer[];
}

/** What the phase and its agent allow, of what there is. */
export function phaseRules(
  { overlay, mcp }: Pick<ResolvedOverlay, 'overlay' | 'mcp'>,
  phase: PhaseDefinition,
): PhaseRules {
  const ofAgent =
    phase.agent !== null && overlay.has(phase.agent) ? overlay.agent(phase.agent).tools : null;
  const tools = phaseToolList(phase.tools ?? null, ofAgent);
  return {
    tools,
    isAllowed: (name) => allowsJobTool(tools, name),
    builtInTools: allowedBuiltIns(tools),
    mcpServers: mcp.servers.flatMap((server) => {
      const named = allowedOfServer(tools, server.id);
      if (named === null) return [server];
      const { allowedTools } = server;
      const both =
        allowedTools === null ? named : named.filter((tool) => allowedTools.includes(tool));
      return both.length === 0 ? [] : [{ ...server, allowedTools: both }];
    }),
  };
}

/** For the job's log; null = none. Names only: the rest of a server can hold secrets. */
export const serversLine = (servers: readonly McpServer[]): string | null =>
  servers.length === 0
    ? null
    : `${servers.length === 1 ? '1 server' : `${servers.length} servers`}: ${servers.map(({ id, origin, transport }) => `${id} (${origin}, ${transport})`).join(', ')}`;
