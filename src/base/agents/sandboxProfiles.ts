/** Whether sessions are confined: never, where it can be done, or not without. */
export const SANDBOX_MODES = ['off', 'auto', 'required'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** What confines a session: the sandbox runtime, bubblewrap alone, or the user's command. */
export const SANDBOX_PROFILES = ['runtime', 'bubblewrap', 'command'] as const;
export type SandboxProfile = (typeof SANDBOX_PROFILES)[number];

/** `none` = the session is not confined. */
export type SandboxState = SandboxProfile | 'none';

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
