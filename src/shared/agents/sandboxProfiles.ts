/** Whether sessions are confined: never, where it can be done, or not without. */
export const SANDBOX_MODES = ['off', 'auto', 'required'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/**
 * What confines the processes of a session: the sandbox runtime, bubblewrap alone, or a command of
 * the user's own.
 */
export const SANDBOX_PROFILES = ['runtime', 'bubblewrap', 'command'] as const;
export type SandboxProfile = (typeof SANDBOX_PROFILES)[number];

/** What confines a session; none = nothing. */
export type SandboxState = SandboxProfile | 'none';

/** What people read of it. */
export const SANDBOX_TEXT: Readonly<Record<SandboxState, string>> = {
  runtime: 'files, processes and hosts are confined',
  bubblewrap: 'files and processes are confined, hosts are not',
  command: 'runner.sandboxCommand confines it',
  none: 'no sandbox',
};

/** Settings under which nothing is confined. */
export const NO_SANDBOX = {
  sandbox: 'off',
  sandboxProfile: 'any',
  sandboxCommand: [],
  sandboxHosts: [],
} as const;
