import type { Clock } from '../../base/time/clock.ts';
import type {
  Executor,
  ExecutorCapabilities,
  SessionNeed,
} from '../../contract/session/executor.ts';
import { createDefaultUse, summarizeAgentHealth, type AgentChecks } from '../process/agentState.ts';
import { endMarkedProcesses } from '../process/endMarkedProcesses.ts';
import { writeSessionFiles } from '../process/writeSessionFiles.ts';
import { AcpSession } from './acpSession.ts';
import { inspectAcpAgent, listConfiguredAgents, explainAcpLack } from './inspectAcpAgent.ts';
import { planAcpLaunch } from './planAcpLaunch.ts';
import { findPreset, requirePreset, resolvePresetName } from './requirePreset.ts';
import { readAcpSetting, type AcpConfig } from './presets/preset.ts';
import type { CredentialPool } from '../../base/agents/credentialPool.ts';
import { createKeyAccount } from '../process/quota/createKeyAccount.ts';
import type { Billing } from '../../contract/session/usageReport.ts';
import type { ChatRequest, ChatRun } from '../../contract/planning/chat.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { runChatSession } from '../process/runChatSession.ts';

function explainAcpChatRefusal(config: AcpConfig, provider: string): string | null {
  try {
    return requirePreset(provider, config).cannotChat;
  } catch (error) {
    return toErrorMessage(error).replace(/\.$/, '');
  }
}

interface AcpChatOptions {
  request: ChatRequest;
  config: AcpConfig;
  clock: Clock;
  /** Wait between SIGTERM and SIGKILL at the end of the chat, ms. */
  graceMs: number;
}

/**
 * One turn of a plan-mode chat in an agent of its own. Its model has the tools of the chat and none
 * of the program's; every permission that the agent asks for is refused. A conversation is never
 * continued: each turn gets all of it. Throws SvcError `bad-argument` for an agent that cannot be
 * limited this way.
 */
async function startAcpChat({ request, config, clock, graceMs }: AcpChatOptions): Promise<ChatRun> {
  const { llm, maxRounds } = request;
  const preset = requirePreset(llm.provider, config);
  if (preset.cannotChat !== null)
    throw new SvcError(
      'bad-argument',
      `A chat with acp:${preset.id} cannot be held read-only: ${preset.cannotChat}. Choose another provider for the alias planning.`,
    );
  return runChatSession({
    request,
    resume: null,
    command: null,
    linesAreAnswer: false,
    async start(session, onAgain) {
      const acpLaunchPlan = await planAcpLaunch(preset, session, config, { maxRounds });
      await writeSessionFiles(session);
      return new AcpSession({
        request: session,
        plan: acpLaunchPlan,
        clock,
        graceMs,
        chat: { onAgain },
      });
    },
  });
}

const SIGNS: Readonly<Record<string, { baseUrl: string; signsIn: boolean }>> = {
  opencode: { baseUrl: 'opencodeBaseUrl', signsIn: false },
  gemini: { baseUrl: 'geminiBaseUrl', signsIn: true },
  codex: { baseUrl: 'codexBaseUrl', signsIn: true },
  'claude-agent-acp': { baseUrl: 'claudeAgentBaseUrl', signsIn: true },
};

/** Vendors that opencode names otherwise than the table of prices. */
const VENDORS: Readonly<Record<string, string>> = { xai: 'x-ai', vertex: 'google' };

/** How the calls of an agent are paid for; unknown for an unknown agent. */
function resolveAcpBilling(config: AcpConfig, { llm }: SessionNeed): Billing {
  const presetName = resolvePresetName(llm.provider, config);
  const preset = findPreset(llm.provider, config);
  const signs = SIGNS[presetName];
  const model = preset?.settings.model ?? null;
  const vendor = presetName === 'opencode' ? readAcpSetting(config, 'opencodeProvider') : null;
  const hasKey = preset !== undefined && readAcpSetting(config, preset.settings.key) !== null;
  return {
    endpoint: signs ? readAcpSetting(config, signs.baseUrl) : null,
    vendor: vendor && (VENDORS[vendor] ?? vendor),
    paidBy: hasKey ? 'key' : signs?.signsIn ? 'subscription' : 'unknown',
    model: llm.model ?? (model && readAcpSetting(config, model)),
  };
}

/** APIs of the endpoints of presets; opencode names its own. */
const KINDS: Readonly<Record<string, string>> = {
  codex: 'openai',
  gemini: 'gemini',
  'claude-agent-acp': 'anthropic',
};

function resolveAcpAccount(config: AcpConfig, need: SessionNeed): CredentialPool | null {
  const { provider } = need.llm;
  const presetName = resolvePresetName(provider, config);
  const preset = findPreset(provider, config);
  if (preset === undefined) return null;
  const kind = KINDS[presetName] ?? readAcpSetting(config, 'opencodeProvider') ?? presetName;
  const { endpoint } = resolveAcpBilling(config, need);
  const { key, login } = preset.settings;
  const loginDir = login === undefined ? null : readAcpSetting(config, login);
  return createKeyAccount(kind, endpoint, readAcpSetting(config, key) ?? loginDir ?? '');
}

/**
 * Default wait between SIGTERM and SIGKILL, for finished agents, left-over children and orphans.
 */
const DEFAULT_GRACE_MS = 2_000;

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
    const acpLaunchPlan = await planAcpLaunch(
      requirePreset(request.llm.provider, config),
      request,
      config,
    );
    await writeSessionFiles(request);
    // Loaded before the program starts, so that the words of one that ends at once are read in time.
    await import('@agentclientprotocol/sdk');
    return new AcpSession({ request, plan: acpLaunchPlan, clock, graceMs });
  },

  cannotChat: ({ llm }) => explainAcpChatRefusal(config, llm.provider),

  chat: (request) => startAcpChat({ request, config, clock, graceMs }),

  listConfigured: () => listConfiguredAgents(config),

  state: (use) => inspectAcpAgent(config, use),

  healthcheck: async (uses = [createDefaultUse('acp')]) =>
    summarizeAgentHealth(await Promise.all(uses.map((use) => inspectAcpAgent(config, use)))),

  endOrphans: (markerPrefix) =>
    endMarkedProcesses(clock, (marker) => marker.startsWith(markerPrefix), graceMs),
});
