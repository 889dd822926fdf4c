import type { Clock } from '../../lib/clock.ts';
import type { Executor, ExecutorCapabilities } from '../../contract/executor.ts';
import { type AgentChecks, anyUse, healthOf } from '../process/agentState.ts';
import { endMarked } from '../process/orphans.ts';
import { writeSessionFiles } from '../process/sessionFiles.ts';
import { acpPool } from './acpPool.ts';
import { acpBilling } from './billing.ts';
import { acpCannotChat, startAcpChat } from './chat.ts';
import { AcpSession } from './acpSession.ts';
import { acpState, configuredAgents } from './healthcheck.ts';
import { acpLacks } from './lacks.ts';
import { plan } from './plan.ts';
import { findPreset, presetOf } from './presetOf.ts';
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
export const acpExecutor = ({
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

  toolForm: (provider) => ({ prefix: presetOf(provider, config).toolPrefix, offered: true }),

  lacks: (need) => acpLacks(config, need),

  billing: (need) => acpBilling(config, need),

  pool: (need) => acpPool(config, need),

  metering: (provider) => ({ reportsUsage: findPreset(provider, config)?.reportsUsage ?? 'never' }),

  async run(request) {
    const made = await plan(presetOf(request.llm.provider, config), request, config);
    await writeSessionFiles(request);
    return new AcpSession({ request, plan: made, clock, graceMs });
  },

  cannotChat: ({ llm }) => acpCannotChat(config, llm.provider),

  chat: (request) => startAcpChat({ request, config, clock, graceMs }),

  configured: () => configuredAgents(config),

  state: (use) => acpState(config, use),

  healthcheck: async (uses = [anyUse('acp')]) =>
    healthOf(await Promise.all(uses.map((use) => acpState(config, use)))),

  endOrphans: (markerPrefix) =>
    endMarked(clock, (marker) => marker.startsWith(markerPrefix), graceMs),
});
