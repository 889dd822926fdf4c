import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Executor, ExecutorCapabilities } from '../../contract/session/executor.ts';
import {
  type AgentChecks,
  type AgentState,
  type AgentUse,
  createDefaultUse,
  formatFoundParts,
  summarizeAgentHealth,
  describeKey,
  describeModel,
} from '../process/agentState.ts';
import { createKeyAccount } from '../process/quota/createKeyAccount.ts';
import { endMarkedProcesses } from '../process/endMarkedProcesses.ts';
import type { Patience } from './askPatiently.ts';
import { checkEndpointHealth, NOT_SET_UP } from './endpoint.ts';
import { ModelLimits } from './modelLimits.ts';
import type { BuiltinSettings } from './settings.ts';

/** Wait between SIGTERM and SIGKILL of what an earlier runner left, ms. */
const ORPHAN_GRACE_MS = 2_000;

export const BUILTIN_CAPABILITIES: ExecutorCapabilities = {
  steering: true,
  foldMidTurn: true,
  cancelsToolCalls: true,
  resume: true,
  skills: true,
  systemPrompt: true,
  chat: 'own-loop',
  reportsUsage: 'each-call',
  stopsBetweenCalls: true,
};

const PLACE = 'plugins.installed.builtin.config';

function explainBuiltinLack({ baseUrl, model }: BuiltinSettings, use: AgentUse): string | null {
  if (baseUrl === null) return `no endpoint is configured (${PLACE}.baseUrl)`;
  return (use.model ?? model) === null
    ? `no model is set (${PLACE}.model, or a model alias for the phase)`
    : null;
}

function inspectBuiltinAgent(settings: BuiltinSettings, use: AgentUse): AgentState {
  const { api, baseUrl, apiKey, model } = settings;
  const lack = explainBuiltinLack(settings, use);
  const missing = baseUrl === null ? 'baseUrl' : 'model';
  const address = baseUrl === null ? 'no endpoint is configured' : `${api} endpoint ${baseUrl}`;
  return {
    found: formatFoundParts(
      [address, describeModel(use.model ?? model), describeKey(apiKey)],
      lack,
    ),
    lack,
    fix: lack === null ? null : `Run: svc config set ${PLACE}.${missing} <${missing}>`,
  };
}

/** The model to ask. Throws SvcError `bad-argument` where none is set; `who` names what asks. */
function requireModelId(settings: BuiltinSettings, llm: AgentUse, who: string): string {
  if (settings.baseUrl === null)
    throw new SvcError('bad-argument', `${who} runs on the builtin executor. ${NOT_SET_UP}`);
  const id = llm.model ?? settings.model;
  if (id !== null) return id;
  throw new SvcError(
    'bad-argument',
    `${who} runs on the builtin executor, but has no model: set ${PLACE}.model, or a model alias for it.`,
  );
}

interface BuiltinExecutorOptions {
  clock: Clock;
  settings: BuiltinSettings;
  /** Default: the values for production. */
  patience?: Patience;
}

/**
 * Our own coding agent: a loop around a model behind an Anthropic or OpenAI API. It lives in the
 * runner's process; its heavy modules are loaded with the first session.
 */
export const createBuiltinExecutor = ({
  clock,
  settings,
  ...patient
}: BuiltinExecutorOptions): Executor & AgentChecks => {
  const modelLimits = new ModelLimits();
  const common = (modelId: string) => ({
    modelId,
    settings,
    clock,
    limits: modelLimits.findLimits(settings.baseUrl, modelId),
    ...patient,
  });
  return {
    id: 'builtin',
    capabilities: BUILTIN_CAPABILITIES,
    toolForm: () => ({ prefix: 'mcp__svc__', offered: true }),

    lacks: ({ llm }) => explainBuiltinLack(settings, llm),

    billing: ({ llm }) => ({
      endpoint: settings.baseUrl,
      vendor: null,
      paidBy: settings.apiKey === '' ? 'unknown' : 'key',
      model: llm.model ?? settings.model,
    }),

    pool: () =>
      settings.baseUrl === null
        ? null
        : createKeyAccount(settings.api, settings.baseUrl, settings.apiKey),

    async run(request) {
      const modelId = requireModelId(settings, request.llm, `Phase ${request.phase}`);
      const { startBuiltinSession } = await import('./start.ts');
      return startBuiltinSession({ request, ...common(modelId) });
    },

    async chat(request) {
      const modelId = requireModelId(settings, request.llm, 'The chat');
      const { startChatTurn } = await import('./start.ts');
      return startChatTurn({ request, ...common(modelId) });
    },

    listConfigured: () => (settings.baseUrl === null ? [] : [createDefaultUse('builtin')]),

    state: async (use) => inspectBuiltinAgent(settings, use),

    async healthcheck(uses = [createDefaultUse('builtin')]) {
      const { ok, detail } = await checkEndpointHealth(settings);
      if (!ok) return { ok, detail };
      const health = summarizeAgentHealth(uses.map((use) => inspectBuiltinAgent(settings, use)));
      return { ...health, detail: `${detail} ${health.detail}` };
    },

    endOrphans: (markerPrefix) =>
      endMarkedProcesses(clock, (marker) => marker.startsWith(markerPrefix), ORPHAN_GRACE_MS),
  };
};
