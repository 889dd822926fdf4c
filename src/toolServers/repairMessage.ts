import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Fields, fields, text } from '../lib/untrusted.ts';

/** Error code of an answer whose error has none: JSON-RPC's "internal error". */
const INTERNAL_ERROR = -32_603;

/** An answer with exactly one of result and error, as JSON-RPC wants it; many servers send both. */
function repairAnswer({ id, result, error }: Fields): unknown {
  const answer = { jsonrpc: '2.0', id: id ?? undefined };
  if (error === undefined || error === null) return { ...answer, result: fields(result) };
  const { code, message, data } = fields(error);
  return {
    ...answer,
    error: {
      code: Number.isInteger(code) ? code : INTERNAL_ERROR,
      message: text(message) || text(error) || 'an error without a message',
      ...(data === undefined ? {} : { data }),
    },
  };
}

/**
 * A message of a tool server as the protocol wants it, or null where it is none. Small deviations
 * are repaired: another version in `jsonrpc`, `error: null` beside a result, an error without a code.
 */
export function repairMessage(value: unknown): JSONRPCMessage | null {
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) return withHello(parsed.data);
  const given = fields(value);
  // Lines of logs are JSON, too.
  if (given.jsonrpc === undefined) return null;
  const isAnswer = given.id !== undefined && ('result' in given || 'error' in given);
  if (!isAnswer && text(given.method) === '') return null;
  const { params, ...rest } = given;
  const repaired = JSONRPCMessageSchema.safeParse(
    isAnswer
      ? repairAnswer(given)
      : { ...rest, jsonrpc: '2.0', ...(params === null ? {} : { params: fields(params) }) },
  );
  return repaired.success ? withHello(repaired.data) : null;
}

/** The message; an answer to `initialize` has what the protocol requires and servers leave out. */
const withHello = (message: JSONRPCMessage): JSONRPCMessage =>
  'result' in message && typeof message.result.protocolVersion === 'string'
    ? { ...message, result: { ...message.result, ...repairHello(message.result) } }
    : message;

/** The messages of a JSON value: itself, or those of a batch; what is no message is left out. */
export const messagesIn = (value: unknown): JSONRPCMessage[] =>
  (Array.isArray(value) ? value : [value]).map(repairMessage).filter((message) => message !== null);

/** Name of the server and its capabilities, which an answer to `initialize` must have. */
const repairHello = ({ capabilities, serverInfo, instructions }: Fields): Fields => {
  const { name, version } = fields(serverInfo);
  return {
    capabilities: fields(capabilities),
    serverInfo: { name: text(name), version: text(version) },
    ...(instructions === undefined ? {} : { instructions: text(instructions) }),
  };
};
