import type { JobContext } from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { JobOverlays } from '../workspace/jobOverlays.ts';
import { listPhaseServers } from '../workspace/resolvePhaseRules.ts';
import type { Workplace } from '../workspace/workplace.ts';
import { type ServerSource, toServerView } from '../../workflows/toolServers/serverSource.ts';
import type { McpServerList } from '../../contract/schema/session/mcpServer.ts';
import { readJobRepo } from '../../providers/forges.ts';
import type { Runner } from '../../contract/runner/runner.ts';

interface JobServersDeps {
  servers: ServerSource;
  overlays: JobOverlays;
  workplace: Pick<Workplace, 'overlay'>;
  readState(jobId: string): ActorState<JobContext>;
}

export const createJobServers = (
  deps: JobServersDeps,
): Pick<Runner, 'mcpServers' | 'inheritedMcps'> => ({
  async mcpServers(id) {
    const { visit, phase, params, workflowPath } = deps.readState(id).context;
    const resolved =
      deps.overlays.findKeptOverlay({ jobId: id, visit }) ??
      (await deps.workplace.overlay(readJobRepo(params)));
    const table = resolved.overlay.has(workflowPath)
      ? resolved.overlay.workflow(workflowPath).table
      : null;
    const definition = table?.phases.find(({ name }) => name === phase);
    const servers = definition ? listPhaseServers(resolved, definition) : resolved.mcp.servers;
    return { servers: servers.map(toServerView), notes: [...resolved.mcp.notes] };
  },
  async inheritedMcps(): Promise<McpServerList> {
    const { servers, notes } = await deps.servers.resolveInherited();
    return { servers: servers.map(toServerView), notes: [...notes] };
  },
});
