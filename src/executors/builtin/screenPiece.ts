import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../base/json/untrusted.ts';
import { OWN_ERROR, toOwnUsage } from './ownMembers.ts';

export type Wire = 'anthropic' | 'openai';

/**
 * Fits the pieces of one streamed answer to the provider's schema: unknown members are left out and
 * required ones filled in. Null = the piece says nothing that svc reads.
 */
export type PieceScreen = (piece: Fields) => Fields | null;

const toOptionalField = (name: string, value: string): Fields =>
  value === '' ? {} : { [name]: value };

/** `own`: id for a call without one; proxies leave it out, and the answer to the call needs it. */
const screenStart = (block: Fields, own: string): Fields | null => {
  const { type } = block;
  if (type === 'text') return { type, text: toStringOrEmpty(block.text) };
  if (type === 'thinking') return { type, thinking: toStringOrEmpty(block.thinking) };
  if (type === 'redacted_thinking') return { type, data: toStringOrEmpty(block.data) };
  if (type !== 'tool_use' || toStringOrEmpty(block.name) === '') return null;
  return {
    type,
    id: toStringOrEmpty(block.id) || own,
    name: block.name,
    input: toFields(block.input),
  };
};

const DELTAS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

/** Allowed deltas by kind of block: one in a block of another kind would break the answer. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
};

function screenAnthropic(): PieceScreen {
  /** Kinds of the blocks that are open, by index. */
  const open = new Map<unknown, unknown>();
  let isBegun = false;
  let messageId = '';
  const pieces: Readonly<Record<string, PieceScreen>> = {
    message_start: ({ message }) => {
      // A proxy that asks two servers sends it twice.
      if (isBegun) return null;
      isBegun = true;
      const { id, model, role, usage } = toFields(message);
      messageId = toStringOrEmpty(id);
      const header = {
        id: messageId,
        model: toStringOrEmpty(model),
        role: toStringOrEmpty(role) || 'assistant',
      };
      return { type: 'message_start', message: toOwnUsage({ ...header, usage }, 'anthropic') };
    },
    content_block_start: ({ index, content_block }) => {
      const block =
        typeof index === 'number'
          ? screenStart(toFields(content_block), `${messageId}_${index}`)
          : null;
      if (block === null) return null;
      open.set(index, block.type);
      return { type: 'content_block_start', index, content_block: block };
    },
    content_block_delta: ({ index, delta }) => {
      const { type, ...rest } = toFields(delta);
      const kind = toStringOrEmpty(type);
      const member = DELTAS[kind];
      if (member === undefined || !TAKES[toStringOrEmpty(open.get(index))]?.includes(kind))
        return null;
      const screenedPart = { type: kind, [member]: toStringOrEmpty(rest[member]) };
      return { type: 'content_block_delta', index, delta: screenedPart };
    },
    content_block_stop: ({ index }) =>
      open.delete(index) ? { type: 'content_block_stop', index } : null,
    message_delta: ({ delta, usage }) => {
      const { stop_reason } = toFields(delta);
      const why = toOptionalField('stop_reason', toStringOrEmpty(stop_reason));
      return toOwnUsage({ type: 'message_delta', delta: why, usage }, 'anthropic');
    },
    message_stop: () => ({ type: 'message_stop' }),
  };
  return (piece) => pieces[toStringOrEmpty(piece.type)]?.(piece) ?? null;
}

/** The calls of an answer or a piece. Servers write `null` and `{}` for none. */
const screenCalls = (calls: unknown, isComplete: boolean): Fields[] =>
  toListOrEmpty(calls).flatMap((call, at): Fields[] => {
    const { index, id, function: functionCall, extra_content } = toFields(call);
    const { name, arguments: givenArguments } = toFields(functionCall);
    if (isComplete && toStringOrEmpty(name) === '') return [];
    // Some servers write the arguments as an object.
    const argumentText =
      typeof givenArguments === 'object' && givenArguments !== null
        ? JSON.stringify(givenArguments)
        : toStringOrEmpty(givenArguments);
    const { thought_signature: signature } = toFields(toFields(extra_content).google);
    const google = { thought_signature: toStringOrEmpty(signature) };
    return [
      {
        ...(typeof index === 'number' ? { index } : isComplete ? { index: at } : {}),
        ...toOptionalField('id', toStringOrEmpty(id)),
        function: { ...toOptionalField('name', toStringOrEmpty(name)), arguments: argumentText },
        ...(toStringOrEmpty(signature) === '' ? {} : { extra_content: { google } }),
      },
    ];
  });

const screenSaid = (content: unknown): string | Fields[] | null => {
  if (typeof content === 'string') return content;
  const parts = toListOrEmpty(content).map(toFields);
  const typedParts = parts.filter(({ type }) => typeof type === 'string');
  return typedParts.length === 0 ? null : typedParts;
};

/** The message of an answer or a piece, OpenAI's wire. */
export const screenMessage = (message: Fields, isComplete: boolean): Fields => {
  const { content, reasoning_content, reasoning, refusal, tool_calls } = message;
  const calls = screenCalls(tool_calls, isComplete);
  const thought = toStringOrEmpty(reasoning_content) || toStringOrEmpty(reasoning);
  // A refusal is text of the model too.
  const screenedContent = screenSaid(content) ?? (toStringOrEmpty(refusal) || null);
  return {
    content: screenedContent,
    ...toOptionalField('reasoning_content', thought),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
};

/** Id, model and time of an answer on OpenAI's wire, the same in a piece and a whole answer. */
export const screenAbout = ({ id, model, created }: Fields): Fields => ({
  ...toOptionalField('id', toStringOrEmpty(id)),
  ...toOptionalField('model', toStringOrEmpty(model)),
  ...(typeof created === 'number' && Number.isFinite(created) ? { created } : {}),
});

/** A reason of unknown form ends an answer too. */
const screenFinish = (reason: unknown): Fields =>
  reason === undefined || reason === null || typeof reason === 'string'
    ? toOptionalField('finish_reason', toStringOrEmpty(reason))
    : { finish_reason: 'other' };

function screenOpenai(): PieceScreen {
  let hasDelta = false;
  /** Of the answer that is read, where a server sends several beside each other. */
  let readIndex: unknown;
  return (piece) => {
    const { usage, choices } = piece;
    const all = toListOrEmpty(choices).map(toFields);
    readIndex ??= all.find(({ index }) => typeof index === 'number')?.index;
    const choice = all.find(({ index }) => typeof index !== 'number' || index === readIndex);
    if (choice === undefined)
      return usage === undefined || usage === null
        ? null
        : toOwnUsage({ ...screenAbout(piece), choices: [], usage }, 'openai');
    const { delta, message, finish_reason } = choice;
    const isDelta = delta !== undefined && delta !== null;
    hasDelta ||= isDelta;
    const screenedMessage = isDelta
      ? screenMessage(toFields(delta), false)
      : screenMessage(toFields(message), true);
    const one = {
      ...(isDelta || !hasDelta ? { delta: screenedMessage } : {}),
      ...screenFinish(finish_reason),
    };
    return toOwnUsage({ ...screenAbout(piece), choices: [one], usage }, 'openai');
  };
}

export const createPieceScreen = (wire: Wire): PieceScreen =>
  wire === 'anthropic' ? screenAnthropic() : screenOpenai();

/** A piece that the provider ignores and in which svc finds an error. */
export const toErrorPiece = (error: unknown, wire: Wire): Fields =>
  wire === 'anthropic' ? { type: 'ping', [OWN_ERROR]: error } : { choices: [], [OWN_ERROR]: error };

/** Members in which servers put an error text where they have no `error`. */
const WORDS = ['message', 'Message', 'detail', 'errors'];

/** Whether a piece belongs to an answer, whatever else it holds. */
const isAnswerPiece = (
  { type, object, choices, usage }: Fields,
  event: string,
  wire: Wire,
): boolean =>
  wire === 'anthropic'
    ? type !== undefined || event !== ''
    : choices !== undefined ||
      usage !== undefined ||
      event !== '' ||
      /^chat/.test(toStringOrEmpty(object));

/**
 * The error that a piece of an answer holds, in any server's form; undefined = none. `event`: name
 * of the event, empty = none.
 */
export function findError(piece: unknown, event: string, wire: Wire): unknown {
  const fields = toFields(piece);
  const { error, type, object, choices } = fields;
  if (event === 'error' || type === 'error' || object === 'error' || isSomething(error))
    return piece;
  if (!isAnswerPiece(fields, event, wire) && WORDS.some((name) => isSomething(fields[name])))
    return piece;
  const [choice = {}] = toListOrEmpty(choices).map(toFields);
  if (isSomething(choice.error)) return choice.error;
  return choice.finish_reason === 'error'
    ? { message: 'The answer ended with the finish_reason "error".' }
    : undefined;
}

/** Servers write `null`, `""` and `{}` for none. */
const isSomething = (error: unknown): boolean =>
  typeof error === 'object' && error !== null ? Object.keys(error).length > 0 : Boolean(error);
