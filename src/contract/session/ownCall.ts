/** A call of a tool that belongs to the agent's program or to an external tool server. */
export interface OwnCall {
  /**
   * read, write, edit, shell, glob, grep, skill; `mcp__<server>__<tool>` of an external server; of
   * anything else the name that the program gives it.
   */
  tool: string;
  /** `command` of a shell, `path` of tools that change a file; of others all that they are called with. */
  args: Readonly<Record<string, unknown>>;
  /** Files that it changes, as the agent names them; empty = none that is known. */
  changes: readonly string[];
}

/** Who decides about such calls. Left out: every call runs. Installed plugins do not get it. */
export interface CallJudge {
  /**
   * Asked before the call is carried out; calls of the job's own tools are checked at their server.
   * Answers why it is refused and what to do instead, for the agent; null = it may run. Where it
   * rejects, the call does not run.
   */
  guard?(call: OwnCall): Promise<string | null>;
}
