export interface SandboxRuntime {
  initialize(config: RuntimeConfig, ask: undefined, watches: boolean): Promise<void>;
  wrapWithSandbox(
    command: string,
    shell: undefined,
    config: undefined,
    signal: undefined,
    options: { commandId: string },
  ): Promise<string>;
  getSandboxViolationStore(): {
    subscribe(listener: (all: readonly { line: string }[]) => void): () => void;
  };
  cleanupAfterCommand(): void;
  reset(): Promise<void>;
}

export interface RuntimeConfig {
  network: { allowedDomains: string[]; deniedDomains: string[]; strictAllowlist: true };
  filesystem: {
    denyRead: string[];
    allowRead: string[];
    allowWrite: string[];
    denyWrite: string[];
    allowGitConfig: true;
  };
  mandatoryDenySearchDepth: 1;
}

const isRuntime = (value: unknown): value is SandboxRuntime =>
  typeof value === 'object' && value !== null && 'wrapWithSandbox' in value;

export async function loadRuntime(entry: string): Promise<SandboxRuntime> {
  const { SandboxManager }: { SandboxManager?: unknown } = await import(entry);
  if (isRuntime(SandboxManager)) return SandboxManager;
  throw new Error(`${entry} is not the sandbox runtime.`);
}
