import type { Billing } from '../../contract/session/usageReport.ts';
import type { McpServer } from '../../contract/schema/session/mcpServer.ts';

/** Hosts of a vendor's models and logins. */
const OF_VENDORS: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['api.anthropic.com', 'console.anthropic.com', 'claude.ai'],
  openai: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  google: [
    'generativelanguage.googleapis.com',
    'cloudcode-pa.googleapis.com',
    'oauth2.googleapis.com',
  ],
  openrouter: ['openrouter.ai'],
  mistral: ['api.mistral.ai'],
  deepseek: ['api.deepseek.com'],
  'x-ai': ['api.x.ai'],
  groq: ['api.groq.com'],
};

/** The vendor whose hosts an agent uses if its settings name none. */
const OF_AGENTS: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  'acp:claude-agent-acp': 'anthropic',
  'acp:gemini': 'google',
  'acp:codex': 'openai',
};

/** Host and port of an address; null = not an address. */
export function toHostWithPort(address: string): string | null {
  try {
    const { hostname, port, protocol } = new URL(address);
    if (hostname === '') return null;
    return `${hostname}:${port || (protocol === 'http:' || protocol === 'ws:' ? '80' : '443')}`;
  } catch {
    return null;
  }
}

/**
 * Hosts that a session needs beside the configured ones: its model's and those of its external tool
 * servers.
 */
export function listSessionHosts(
  provider: string,
  billing: Billing | null,
  mcpServers: readonly Pick<McpServer, 'url'>[],
): string[] {
  // The built-in agent asks its model from the runner, outside of the sandbox.
  if (provider === 'builtin') billing = null;
  const model =
    billing !== null && billing.endpoint !== null
      ? [toHostWithPort(billing.endpoint)]
      : (OF_VENDORS[billing?.vendor ?? OF_AGENTS[provider] ?? ''] ?? []);
  const servers = mcpServers.map(({ url }) => (url === null ? null : toHostWithPort(url)));
  return [...model, ...servers].filter((host) => host !== null);
}
