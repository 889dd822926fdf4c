import type { SessionNeed } from '../../contract/session/executor.ts';

/** What a phase may ask an executor for: a provider, and a model where an alias names one. */
export type AgentUse = SessionNeed['llm'];

/** What was found of an agent, without any request to its model. */
export interface AgentState {
  /** Program, version, address, model, key, as one line without secrets. */
  found: string;
  /** Why no session of it could start, as a clause; null = no reason is known. */
  lack: string | null;
  /** The command that fixes it; null where nothing lacks. */
  fix: string | null;
}

export const describeKey = (key: unknown): string => (key ? 'a key is set' : 'no key is set');

export const describeModel = (model: string | null): string =>
  model === null ? 'no model is set' : `model ${model}`;

/** What was found, as one line, without what `lack` says already. */
export const formatFoundParts = (parts: readonly string[], lack: string | null): string =>
  parts.filter((part) => lack === null || !lack.startsWith(part)).join(', ');

/** One agent as one line. */
export const formatAgentState = ({ found, lack }: AgentState): string =>
  [found, ...(lack === null ? [] : [lack])].filter((part) => part !== '').join('; ');

/** The states of an agent as the answer of a health check: healthy where none lacks anything. */
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

/** An executor that can say what it finds of its agents. */
export interface AgentChecks {
  state(use: AgentUse): Promise<AgentState>;
  /** The agents that its settings are for; empty where nothing is set. */
  configured(): AgentUse[];
  /** `uses`: what phases may ask for; default: its own settings alone. */
  healthcheck(uses?: readonly AgentUse[]): Promise<{ ok: boolean; detail: string }>;
}

/** A phase that leaves the model to the settings of the executor. */
export const createDefaultUse = (provider: string): AgentUse => ({
  provider,
  model: null,
  reasoningEffort: null,
});
