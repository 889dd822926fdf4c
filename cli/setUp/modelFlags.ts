import type { ChosenValue } from '../../src/host/setUp/chosenValues.ts';

/** What the flags say of the model; null = not given. */
export interface GivenModel {
  agent: string | null;
  apiKey: string | null;
  model: string | null;
  baseUrl: string | null;
  /** The person agrees that sessions use the login of the agent's program. */
  useLogin?: boolean;
}

export interface AgentAnswer {
  values: ChosenValue[];
  notes: string[];
  /** A command line; null = nothing is missing. */
  install: string | null;
}
