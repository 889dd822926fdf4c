import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Fields, toFields, toStringOrEmpty } from '../../../base/json/untrusted.ts';

/** Error code of an answer whose error has none: JSON-RPC's "internal error". */
const INTERNAL_ERROR = -32_603;
/** Members of an answer; a line with others belongs to a log. */
const ANSWER_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result', 'error']);

/** Whether the member `error` reports an error; some servers fill it in beside every result. */
const reportsError = ({ result, error }: Fields): boolean => {
  if (error === undefined || error === null || error === false || error === '') return false;
  const isEmpty = toFields(error) === error && Object.keys(toFields(error)).length === 0;
  return !isEmpty || result === undefined || result === null;
};

/** A result is an object; a text or a list becomes its content. */
function repairResult(result: unknown): Fields {
  if (result === undefined || result === null) return {};
  if (toFields(result) !== result)
    return { content: Array.isArray(result) ? result : String(result) };
  const { _meta, ...rest } = toFields(result);
  // Nothing here reads it, and a bad one would make the answer invalid.
  return rest;
}

/** An answer with either result or error, as JSON-RPC requires; many servers send both. */
function repairAnswer(requestOrAnswer: Fields): unknown {
  const { id, result, error } = requestOrAnswer;
  const answer = { jsonrpc: '2.0', id: id ?? undefined };
  if (!reportsError(requestOrAnswer)) return { ...answer, result: repairResult(result) };
  const { code, message, data } = toFields(error);
  return {
    ...answer,
    error: {
      code: Number.isInteger(code) ? code : INTERNAL_ERROR,
      message: toStringOrEmpty(message) || toStringOrEmpty(error) || 'an error without a message',
      ...(data === undefined ? {} : { data }),
    },
  };
}

/**
 * Whether a message answers a request, even without the JSON-RPC version or with an empty result.
 */
function isAnswer(message: Fields): boolean {
  if (message.id === undefined || message.method !== undefined) return false;
  if (message.jsonrpc !== undefined) return true;
  const { result, error } = message;
  const hasObject = [result, error].some((part) => part !== undefined && toFields(part) === part);
  return hasObject && Object.keys(message).every((name) => ANSWER_MEMBERS.has(name));
}

/**
 * A tool server's message in the protocol's form, or null if it is none. Small deviations are
 * repaired: another version in `jsonrpc`, `error: null` beside a result, an error without a code.
 * No answer is refused for its content: its request would wait until the limit of calls.
 */
export function repairMessage(value: unknown): JSONRPCMessage | null {
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) return repairHelloAnswer(parsed.data);
  const message = toFields(value);
  const answers = isAnswer(message);
  if (!answers && (message.jsonrpc === undefined || toStringOrEmpty(message.method) === ''))
    return null;
  const { params, ...rest } = message;
  const result = JSONRPCMessageSchema.safeParse(
    answers
      ? repairAnswer(message)
      : { ...rest, jsonrpc: '2.0', ...(params === null ? {} : { params: toFields(params) }) },
  );
  return result.success ? repairHelloAnswer(result.data) : null;
}

/** The message; an answer to `initialize` gets required members that servers leave out. */
const repairHelloAnswer = (message: JSONRPCMessage): JSONRPCMessage =>
  'result' in message && typeof message.result.protocolVersion === 'string'
    ? { ...message, result: { ...message.result, ...repairHello(message.result) } }
    : message;

/** The messages of a JSON value, single or a batch; anything else is left out. */
export const parseRpcMessages = (value: unknown): JSONRPCMessage[] =>
  (Array.isArray(value) ? value : [value]).map(repairMessage).filter((message) => message !== null);

/** Fills in the server's name and capabilities, which an answer to `initialize` must have. */
const repairHello = ({ capabilities, serverInfo, instructions }: Fields): Fields => {
  const { name, version } = toFields(serverInfo);
  return {
    capabilities: toFields(capabilities),
    serverInfo: { name: toStringOrEmpty(name), version: toStringOrEmpty(version) },
    ...(instructions === undefined ? {} : { instructions: toStringOrEmpty(instructions) }),
  };
};
