import type { SessionNeed } from '../../contract/session/executor.ts';

export type AgentUse = SessionNeed['llm'];

export interface AgentState {
  /** Program, version, address, model, key, as one line without secrets. */
  found: string;
  /** Why no session could start, as a clause; null = no known reason. */
  lack: string | null;
  /** The command that fixes it; null = nothing is missing. */
  fix: string | null;
}

export const describeKey = (key: unknown): string => (key ? 'a key is set' : 'no key is set');

export const describeModel = (model: string | null): string =>
  model === null ? 'no model is set' : `model ${model}`;

/** What was found as one line, without what `lack` already says. */
export const formatFoundParts = (parts: readonly string[], lack: string | null): string =>
  parts.filter((part) => lack === null || !lack.startsWith(part)).join(', ');

export const formatAgentState = ({ found, lack }: AgentState): string =>
  [found, ...(lack === null ? [] : [lack])].filter((part) => part !== '').join('; ');

/** The states of an agent as a health check: healthy if nothing is missing. */
export function summarizeAgentHealth(states: readonly AgentState[]): {
  ok: boolean;
  detail: string;
} {
  const lines = [
    ...new Set(
      states.map(
        (state) => `${formatAgentState(state)}.${state.fix === null ? '' : ` ${state.fix}`}`,
      ),
    ),
  ];
  return { ok: states.every(({ lack }) => lack === null), detail: lines.join(' ') };
}

export interface AgentChecks {
  state(use: AgentUse): Promise<AgentState>;
  /** The agents that the settings name; empty where nothing is set. */
  listConfigured(): AgentUse[];
  /** `uses`: what phases may ask for; default: only the executor's own settings. */
  healthcheck(uses?: readonly AgentUse[]): Promise<{ ok: boolean; detail: string }>;
}

/** For a phase that leaves the model to the executor's settings. */
export const createDefaultUse = (provider: string): AgentUse => ({
  provider,
  model: null,
  reasoningEffort: null,
});
