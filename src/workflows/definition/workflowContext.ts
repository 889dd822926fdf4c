import type { Caps } from '../../shared/spending/budgetScopes.ts';
import type { GivenInvariants } from './invariants/checkInvariants.ts';
import type { PhaseModel, Settings } from '../../contract/schema/runner/settings.ts';

/** Who can run phases. */
export interface PhaseExecutors {
  /** What may be written as a provider, as `listPhaseProviders` says it. */
  ids: readonly string[];
  /** The settings that choose among them. */
  llm: Settings['llm'];
  /**
   * Why an agent with this program (null = without one) cannot run this way, as a clause; null =
   * no reason is known. Default: null.
   */
  lacks?(model: PhaseModel, command: readonly string[] | null): string | null;
}

/** What a workflow is checked against besides itself. A part that is left out is not checked. */
export interface WorkflowContext {
  /** Whether the overlay has this agent markdown. */
  hasAgent?: (path: string) => boolean;
  /** Paths to offer where an agent is missing. */
  agents?: readonly string[];
  /** The text of an agent's file, which may lead to other phases; null = there is no such file. */
  agentText?: (path: string) => string | null;
  /** Paths of the workflows of the overlay. */
  workflows?: readonly string[];
  /** Whether a workflow of the overlay has sub-runs: `coordinator.enabled: true`. */
  coordinates?: (path: string) => boolean;
  /** Ids of the tool servers that jobs may have besides svc's own. */
  servers?: readonly string[];
  /** Whether a person is at hand to approve, as svc is configured. */
  interactive?: boolean;
  /** Rules of the configuration and of other layers, which hold whatever the file says. */
  invariants?: readonly GivenInvariants[];
  /** Caps that the configuration sets. */
  caps?: Caps;
  /** Why a word of an agent's command does not work here, as a clause; null = nothing is known. */
  lacksProgram?: (word: string, layerRoot: string | null) => string | null;
  /** Names of the configured model aliases. */
  aliases?: readonly string[];
  /** Who can run a phase. */
  executors?: PhaseExecutors;
  /**
   * What an agent's file declares as its program; null = nothing, undefined = the file is missing
   * or has mistakes.
   */
  agentCommand?: (path: string) => readonly string[] | null | undefined;
  /** Whether an agent's file comes from the layer of the workflow's file; default: it does. */
  isOfSameLayer?: (agent: string) => boolean;
  /** What to report for a name that no tool has; null = the tool exists. */
  unknownTool?: (name: string) => string | null;
  /** What to report for a tool whose forge or tracker is not known here; null = nothing. */
  unknownProvider?: (name: string) => { message: string; hint: string } | null;
  /** False for a workflow of a repository that is not trusted as it is now; default true. */
  trusted?: boolean;
}
