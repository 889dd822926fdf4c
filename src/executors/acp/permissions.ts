import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { McpServer } from '../../contract/schema/session/mcpServer.ts';
import type { OwnCall } from '../../contract/session/ownCall.ts';
import { toFields } from '../../base/json/untrusted.ts';
import { listCallLocations, toOwnCall } from '../process/toOwnCall.ts';
import { resolveToolName } from './toolNames.ts';

/** The kinds of the protocol as names in a phase's list; any of them is enough. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  edit: ['edit', 'write'],
  delete: ['shell'],
  move: ['shell'],
  search: ['grep', 'glob'],
  execute: ['shell'],
};
/** The kinds as rules see them: removing or moving a file counts as changing it. */
const SEEN: Readonly<Record<string, string>> = {
  read: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  search: 'grep',
  execute: 'shell',
};
/** Harmless kinds, for which permission is always given. */
const HARMLESS = ['think'];
/**
 * A list of tools cannot cover these kinds, so only a phase that may use everything may use them.
 * `switch_mode` could widen the list.
 */
const REFUSED_ALWAYS = ['switch_mode'];

const SKILL = /skill/i;

type ServerToolLists = Pick<McpServer, 'id' | 'allowedTools' | 'disallowedTools'>;

/**
 * Whether the phase may use a tool, `mcp__<server>__<tool>`. The runner's own server decides about
 * its tools itself.
 */
function mayUse(name: string, servers: readonly ServerToolLists[]): boolean {
  const server = servers.find(({ id }) => name.startsWith(`mcp__${id}__`));
  if (server === undefined) return true;
  const tool = name.slice(`mcp__${server.id}__`.length);
  return (server.allowedTools?.includes(tool) ?? true) && !server.disallowedTools.includes(tool);
}

export function isPermitted(
  call: RequestPermissionRequest['toolCall'],
  servers: readonly ServerToolLists[],
  allowedTools: readonly string[] | null,
): boolean {
  const kind = call.kind ?? 'other';
  if (REFUSED_ALWAYS.includes(kind)) return false;
  const name = resolveToolName(
    toFields(call),
    servers.map(({ id }) => id),
  );
  if (name.startsWith('mcp__')) return mayUse(name, servers);
  if (allowedTools === null || HARMLESS.includes(kind)) return true;
  if (kind === 'other') return SKILL.test(name) && allowedTools.includes('skill');
  return (KINDS[kind] ?? []).some((tool) => allowedTools.includes(tool));
}

export function readAskedCall(
  call: RequestPermissionRequest['toolCall'],
  servers: readonly ServerToolLists[],
): OwnCall {
  const name = resolveToolName(
    toFields(call),
    servers.map(({ id }) => id),
  );
  const tool = name.startsWith('mcp__') ? name : (SEEN[call.kind ?? ''] ?? name);
  const input = toFields(call.rawInput);
  // Some programs write a command only into the title.
  const command = tool === 'shell' && Object.keys(input).length === 0 && call.title;
  return toOwnCall(name, command ? { command } : input, {
    tool,
    paths: listCallLocations(toFields(call)),
  });
}

/**
 * Answers with one of the agent's own options: once rather than always, so that each call is
 * checked.
 */
export function answerPermission(
  { options }: RequestPermissionRequest,
  permitted: boolean,
): RequestPermissionResponse {
  const optionKinds = permitted ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = optionKinds
    .map((kind) => options.find((one) => one.kind === kind))
    .find((permissionOption) => permissionOption !== undefined);
  return {
    outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' },
  };
}
