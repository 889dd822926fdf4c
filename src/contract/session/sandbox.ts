import type { SandboxProfile } from '../../base/agents/sandboxProfiles.ts';

/** A program with its arguments, before it is started. */
export interface ProgramStart {
  program: string;
  args: readonly string[];
}

/** The sandbox of one session. */
export interface SessionSandbox {
  profile: SandboxProfile;
  /** The same program, started inside; `cwd` is its working directory. */
  wrap(start: ProgramStart, cwd: string): ProgramStart;
  /**
   * The tool server is out of reach of ordinary requests: agents get it as a program, `svc
   * mcp-bridge`.
   */
  bridge: boolean;
}
