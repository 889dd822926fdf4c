import type { Config } from '../config/configSchema.ts';
import type { LocalEndpoint } from '../../plugins/setUp/findLocalEndpoints.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { SetUpStepName } from '../../base/settings/setUpSteps.ts';
import type { SetUpChoice } from '../../contract/schema/runner/setUpSteps.ts';
import type { ChosenValue } from './chosenValues.ts';
import type { FoundProgram } from './programs.ts';

/** Everything that the steps are worked out from; nothing else is read. */
export interface SetUpFacts {
  /** As it is in the file, with its secrets. */
  config: Config;
  settings: Pick<Settings, 'home' | 'plugins'>;
  hostEnv: Readonly<Record<string, string | undefined>>;
  manifests: readonly PluginManifest[];
  endpoints: readonly LocalEndpoint[];
  programs: readonly FoundProgram[];
}

/** An answer to one step, its secrets included. */
export interface Answer {
  choice: string;
  values: Readonly<Record<string, string>>;
  /** The person agrees that sessions use the login of the agent's program. */
  useLogin?: boolean;
}

/** One step of the wizard: pure rules, so that the command line and the runner have the same. */
export interface Step {
  name: SetUpStepName;
  title: string;
  /** What the configuration has of it, in words; empty = nothing. */
  describeSaved(facts: SetUpFacts): string[];
  found(facts: SetUpFacts): string[];
  choices(facts: SetUpFacts): SetUpChoice[];
  /** What an answer writes. Throws SvcError `bad-argument`. */
  values(facts: SetUpFacts, answer: Answer): ChosenValue[];
}
