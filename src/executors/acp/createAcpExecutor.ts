import type { Clock } from '../../shared/time/clock.ts';
import type { Executor, ExecutorCapabilities } from '../../contract/session/executor.ts';
import { type AgentChecks, createDefaultUse, summarizeAgentHealth } from '../process/agentState.ts';
import { endMarkedProcesses } from '../process/endMarkedProcesses.ts';
import { writeSessionFiles } from '../process/writeSessionFiles.ts';
import { resolveAcpAccount } from './resolveAcpAccount.ts';
import { resolveAcpBilling } from './resolveAcpBilling.ts';
import { explainAcpChatRefusal, startAcpChat } from './startAcpChat.ts';
import { AcpSession } from './acpSession.ts';
import { inspectAcpAgent, listConfiguredAgents } from './inspectAcpAgent.ts';
import { explainAcpLack } from './explainAcpLack.ts';
import { planAcpLaunch } from './planAcpLaunch.ts';
import { findPreset, requirePreset } from './requirePreset.ts';
import type { AcpConfig } from './presets/preset.ts';

/**
 * Default wait between SIGTERM and SIGKILL: for agents that are done, left-over children, orphans.
 */
const DEFAULT_GRACE_MS = 2_000;

/** What every agent of the protocol can do; some can do more. */
export const ACP_CAPABILITIES: ExecutorCapabilities = {
  steering: true,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: true,
  skills: false,
  systemPrompt: true,
  chat: 'read-only-agent',
};

/**
 * Runs agents that speak the Agent Client Protocol over stdin and stdout, one process a session.
 */
export const createAcpExecutor = ({
  clock,
  config,
  graceMs = DEFAULT_GRACE_MS,
}: {
  clock: Clock;
  config: AcpConfig;
  graceMs?: number;
}): Executor & AgentChecks => ({
  id: 'acp',
  capabilities: ACP_CAPABILITIES,

  toolForm: (provider) => ({ prefix: requirePreset(provider, config).toolPrefix, offered: true }),

  lacks: (need) => explainAcpLack(config, need),

  billing: (need) => resolveAcpBilling(config, need),

  pool: (need) => resolveAcpAccount(config, need),

  metering: (provider) => ({ reportsUsage: findPreset(provider, config)?.reportsUsage ?? 'never' }),

  async run(request) {
    const made = await planAcpLaunch(requirePreset(request.llm.provider, config), request, config);
    await writeSessionFiles(request);
    return new AcpSession({ request, plan: made, clock, graceMs });
  },

  cannotChat: ({ llm }) => explainAcpChatRefusal(config, llm.provider),

  chat: (request) => startAcpChat({ request, config, clock, graceMs }),

  configured: () => listConfiguredAgents(config),

  state: (use) => inspectAcpAgent(config, use),

  healthcheck: async (uses = [createDefaultUse('acp')]) =>
    summarizeAgentHealth(await Promise.all(uses.map((use) => inspectAcpAgent(config, use)))),

  endOrphans: (markerPrefix) =>
    endMarkedProcesses(clock, (marker) => marker.startsWith(markerPrefix), graceMs),
});
