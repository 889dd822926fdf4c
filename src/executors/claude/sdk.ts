import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Readable, Writable } from 'node:stream';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';

/**
 * The part of the Claude Agent SDK that is used here. It is not part of svc: users install it
 * themselves, under its own terms.
 */
export interface ClaudeSdk {
  query(call: { prompt: AsyncIterable<UserMessage>; options: QueryOptions }): Query;
}

export interface UserMessage {
  type: 'user';
  message: { role: 'user'; content: string };
  parent_tool_use_id: null;
  uuid: string;
}

export interface Query extends AsyncIterable<unknown> {
  interrupt(): Promise<unknown>;
  /** Rejects when the server is not reached. */
  reconnectMcpServer(name: string): Promise<void>;
  close?(): void;
}

export type McpServerConfig =
  | {
      type: 'stdio';
      command: string;
      args: string[];
      env: Record<string, string>;
      alwaysLoad: true;
    }
  | { type: 'http' | 'sse'; url: string; headers: Record<string, string>; alwaysLoad: true };

export interface SpawnOptions {
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/** Answer about a call; empty = allowed. */
export interface HookAnswer {
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'deny';
    permissionDecisionReason: string;
  };
}

export interface QueryOptions {
  cwd: string;
  env: Record<string, string>;
  model?: string;
  effort?: string;
  resume?: string;
  systemPrompt: string | { type: 'custom'; prompt: string; snapshot: false };
  settingSources: readonly 'project'[];
  projectConfigRoot?: string;
  strictMcpConfig: true;
  mcpServers: Record<string, McpServerConfig>;
  mcpServersDelivery?: 'initialize';
  extraArgs?: Record<string, string>;
  tools: string[];
  allowedTools: string[];
  disallowedTools: string[];
  maxTurns?: number;
  /** The program ends the turn once it has spent more by its own count. */
  maxBudgetUsd?: number;
  /** Called by the SDK itself before each call, whatever the settings say about hooks. */
  hooks?: { PreToolUse: { hooks: ((input: unknown) => Promise<HookAnswer>)[] }[] };
  permissionMode: 'dontAsk';
  includePartialMessages: true;
  settings: Record<string, unknown>;
  spawnClaudeCodeProcess(options: SpawnOptions): ChildProcessByStdio<Writable, Readable, Readable>;
}

export interface LoadedSdk {
  sdk: ClaudeSdk;
  /** null where it is not known. */
  version: string | null;
}

export const SDK_PACKAGE = '@anthropic-ai/claude-agent-sdk';

/** Advice if neither the SDK nor the program is installed. */
export const INSTALL = `Claude Code is not part of svc. Install it (\`npm install -g @anthropic-ai/claude-code\`) so that \`claude\` is on the PATH, or name the program in plugins.installed.claude.config.claudePath. The Claude Agent SDK works too: beside svc (\`npm install ${SDK_PACKAGE}\`; where svc is installed globally: \`npm install -g ${SDK_PACKAGE}\`), or in a folder of its own (\`npm install --prefix <folder> ${SDK_PACKAGE}\`) that plugins.installed.claude.config.sdkDir names.`;

const isSdk = (module: unknown): module is ClaudeSdk =>
  typeof module === 'object' &&
  module !== null &&
  'query' in module &&
  typeof module.query === 'function';

/**
 * Whether the SDK is installed beside svc, or in `dir` where that is not null. Nothing of it is
 * loaded.
 */
export const isSdkInstalled = (dir: string | null): boolean => findSdkManifest(dir) !== null;

function findSdkManifest(dir: string | null): string | null {
  const folders =
    dir === null
      ? (createRequire(import.meta.url).resolve.paths(SDK_PACKAGE) ?? [])
      : [join(dir, 'node_modules')];
  const files = folders.map((folder) => join(folder, ...SDK_PACKAGE.split('/'), 'package.json'));
  return files.find((file) => existsSync(file)) ?? null;
}

export async function readSdkVersion(dir: string | null): Promise<string | null> {
  const file = findSdkManifest(dir);
  const text = file === null ? null : await readFile(file, 'utf8').catch(() => null);
  const { version }: { version?: unknown } = Object(text === null ? {} : JSON.parse(text));
  return typeof version === 'string' ? version : null;
}

/** The entry file and the version of the SDK, from its manifest. */
async function readPackage(file: string): Promise<{ entry: string; version: string | null }> {
  const { version, main }: { version?: unknown; main?: unknown } = Object(
    JSON.parse(await readFile(file, 'utf8')),
  );
  return {
    // A path, since a name would be looked up beside the importing file.
    entry: pathToFileURL(join(file, '..', typeof main === 'string' ? main : 'sdk.mjs')).href,
    version: typeof version === 'string' ? version : null,
  };
}

/**
 * Loads the SDK from beside svc, or from `dir` where that is not null. Throws SvcError
 * `not-possible-now` with what to install.
 */
export async function loadSdk(dir: string | null): Promise<LoadedSdk> {
  const file = findSdkManifest(dir);
  if (file === null) throw new SvcError('not-possible-now', INSTALL);
  let module: unknown;
  let version: string | null;
  try {
    const sdkPackage = await readPackage(file);
    version = sdkPackage.version;
    module = await import(sdkPackage.entry);
  } catch (error) {
    const reason = toErrorMessage(error).split('\n')[0];
    throw new SvcError(
      'not-possible-now',
      `The Claude Agent SDK in ${dirname(file)} cannot be loaded: ${reason}. Install it again.`,
      { cause: error },
    );
  }
  if (isSdk(module)) return { sdk: module, version };
  throw new SvcError(
    'not-possible-now',
    `What is installed as ${SDK_PACKAGE} has no query(). ${INSTALL}`,
  );
}
