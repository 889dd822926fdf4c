/** An executor that phases are to run on and that cannot, and what chose it. */
export interface ExecutorChoice {
  /** As it was chosen, such as `command` or `acp:gemini`. */
  provider: string;
  /** Key of the configuration that chose it; null = the phase itself did. */
  key: string | null;
}

/** How what cannot run is made to run. */
export interface SetUpAdvice {
  /** One command line for a shell; null = no command helps. */
  command: string | null;
  /** Slug of the repository in whose folder to run it; null = anywhere. */
  inFolderOf: string | null;
  /** Agents and model servers that were found on this machine, for people. */
  found: readonly string[];
  /** The command holds values such as `<model>` that the person has to fill in. */
  open: boolean;
  /** The command reads a key that has to be typed. */
  typed: boolean;
}
