import type { Caps } from '../../base/spending/budgetScopes.ts';
import type { GivenInvariants } from './invariants/checkInvariants.ts';
import type { PhaseModel, Settings } from '../../contract/schema/runner/settings.ts';

export interface PhaseExecutors {
  /** Valid providers, from `listPhaseProviders`. */
  ids: readonly string[];
  /** The settings that choose among them. */
  llm: Settings['llm'];
  /**
   * Why an agent with this program (null = none) cannot run this way, as a clause; null = no known
   * reason. Default: null.
   */
  lacks?(model: PhaseModel, command: readonly string[] | null): string | null;
}

/** What a workflow is checked against. A missing part is not checked. */
export interface WorkflowContext {
  hasAgent?: (path: string) => boolean;
  /** Paths to suggest for a missing agent. */
  agents?: readonly string[];
  /** The text of an agent's file, which may lead to other phases; null = no such file. */
  agentText?: (path: string) => string | null;
  workflows?: readonly string[];
  /** Whether a workflow of the overlay has `coordinator.enabled: true`. */
  coordinates?: (path: string) => boolean;
  /** Ids of tool servers for jobs besides svc's own. */
  servers?: readonly string[];
  /** Whether a person can approve, by the configuration. */
  interactive?: boolean;
  /** Rules of the configuration and other layers, which always hold. */
  invariants?: readonly GivenInvariants[];
  caps?: Caps;
  /** Why a word of an agent's command does not work here, as a clause; null = no known reason. */
  lacksProgram?: (word: string, layerRoot: string | null) => string | null;
  aliases?: readonly string[];
  executors?: PhaseExecutors;
  /**
   * The program that an agent's file declares; null = none, undefined = the file is missing or
   * faulty.
   */
  agentCommand?: (path: string) => readonly string[] | null | undefined;
  /** Whether an agent's file is in the workflow's layer; default: it is. */
  isOfSameLayer?: (agent: string) => boolean;
  unknownTool?: (name: string) => string | null;
  unknownProvider?: (name: string) => { message: string; hint: string } | null;
  /** False for a workflow of an untrusted repository; default true. */
  trusted?: boolean;
}
