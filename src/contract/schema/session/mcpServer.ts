import Type from 'typebox';

/**
 * An external tool server that a job's agents may use. `env` and `headers` hold secrets: it goes to
 * the agent and nowhere else.
 */
export interface McpServer {
  id: string;
  /**
   * Who declared it: the configuration of svc, the user's own file of the agent host, or the job's
   * repository.
   */
  origin: 'config' | 'repo' | 'claude';
  transport: 'stdio' | 'http' | 'sse';
  /** Program of a stdio server; null for the others. */
  command: string | null;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Address of an http or sse server; null for stdio. */
  url: string | null;
  headers: Readonly<Record<string, string>>;
  /** Names of the only tools that may be used; null = all. */
  allowedTools: readonly string[] | null;
  /** Names of tools that may not be used. */
  disallowedTools: readonly string[];
  /** Longest start: connecting and listing its tools, ms; left out = 30 s. */
  timeoutMs?: number;
  /** Values of variables of the environment that are part of it; left out = none. */
  secrets?: readonly string[];
}

/** A tool server that is declared and cannot be used as it is declared. */
export interface UnusableServer {
  id: string;
  /** Why, as a clause about it; no value of the declaration is repeated. */
  why: string;
}

/**
 * A tool server as it may be shown: no command, address, variable or header, which can hold
 * secrets.
 */
export const McpServerView = Type.Object({
  id: Type.String(),
  origin: Type.Enum(['config', 'repo', 'claude']),
  transport: Type.Enum(['stdio', 'http', 'sse']),
  allowedTools: Type.Union([Type.Array(Type.String()), Type.Null()]),
  disallowedTools: Type.Array(Type.String()),
});
export type McpServerView = Type.Static<typeof McpServerView>;

/** Servers, and what was left out and why. */
export const McpServerList = Type.Object({
  servers: Type.Array(McpServerView),
  notes: Type.Array(Type.String()),
});
export type McpServerList = Type.Static<typeof McpServerList>;
