import { type Fields, fields, list, text } from '../../lib/untrusted.ts';
import { OWN_ERROR, toOwnUsage } from './ownMembers.ts';

/** Wire of an endpoint. */
export type Wire = 'anthropic' | 'openai';

/**
 * Makes pieces of a streamed answer such that the provider's schema takes them: what it does not
 * know is left out, and what it requires is filled in. One for each answer. Null = the piece says
 * nothing that svc reads.
 */
export type PieceScreen = (piece: Fields) => Fields | null;

const optional = (name: string, value: string): Fields => (value === '' ? {} : { [name]: value });

/** `own`: the id of a call that has none; proxies leave it out, and the answer to the call names it. */
const screenStart = (block: Fields, own: string): Fields | null => {
  const { type } = block;
  if (type === 'text') return { type, text: text(block.text) };
  if (type === 'thinking') return { type, thinking: text(block.thinking) };
  if (type === 'redacted_thinking') return { type, data: text(block.data) };
  if (type !== 'tool_use' || text(block.name) === '') return null;
  return { type, id: text(block.id) || own, name: block.name, input: fields(block.input) };
};

const DELTAS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

/** Blocks by what their deltas may be: one in a block of another kind would break the answer. */
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
      // A proxy that asks two servers says it twice.
      if (isBegun) return null;
      isBegun = true;
      const { id, model, role, usage } = fields(message);
      messageId = text(id);
      const begun = { id: messageId, model: text(model), role: text(role) || 'assistant' };
      return { type: 'message_start', message: toOwnUsage({ ...begun, usage }, 'anthropic') };
    },
    content_block_start: ({ index, content_block }) => {
      const block =
        typeof index === 'number'
          ? screenStart(fields(content_block), `${messageId}_${index}`)
          : null;
      if (block === null) return null;
      open.set(index, block.type);
      return { type: 'content_block_start', index, content_block: block };
    },
    content_block_delta: ({ index, delta }) => {
      const { type, ...rest } = fields(delta);
      const kind = text(type);
      const member = DELTAS[kind];
      if (member === undefined || !TAKES[text(open.get(index))]?.includes(kind)) return null;
      const said = { type: kind, [member]: text(rest[member]) };
      return { type: 'content_block_delta', index, delta: said };
    },
    content_block_stop: ({ index }) =>
      open.delete(index) ? { type: 'content_block_stop', index } : null,
    message_delta: ({ delta, usage }) => {
      const { stop_reason } = fields(delta);
      const why = optional('stop_reason', text(stop_reason));
      return toOwnUsage({ type: 'message_delta', delta: why, usage }, 'anthropic');
    },
    message_stop: () => ({ type: 'message_stop' }),
  };
  return (piece) => pieces[text(piece.type)]?.(piece) ?? null;
}

/** The calls of an answer or of a piece of it. Servers write `null` and `{}` where they mean none. */
const screenCalls = (calls: unknown, isWhole: boolean): Fields[] =>
  list(calls).flatMap((call, at): Fields[] => {
    const { index, id, function: made, extra_content } = fields(call);
    const { name, arguments: given } = fields(made);
    if (isWhole && text(name) === '') return [];
    // Some servers write the arguments as the object that they are.
    const said = typeof given === 'object' && given !== null ? JSON.stringify(given) : text(given);
    const { thought_signature: signature } = fields(fields(extra_content).google);
    const google = { thought_signature: text(signature) };
    return [
      {
        ...(typeof index === 'number' ? { index } : isWhole ? { index: at } : {}),
        ...optional('id', text(id)),
        function: { ...optional('name', text(name)), arguments: said },
        ...(text(signature) === '' ? {} : { extra_content: { google } }),
      },
    ];
  });

const screenSaid = (content: unknown): string | Fields[] | null => {
  if (typeof content === 'string') return content;
  const parts = list(content).map(fields);
  const typed = parts.filter(({ type }) => typeof type === 'string');
  return typed.length === 0 ? null : typed;
};

/** The message of an answer, or a piece of it, of OpenAI's wire. */
export const screenMessage = (message: Fields, isWhole: boolean): Fields => {
  const { content, reasoning_content, reasoning, refusal, tool_calls } = message;
  const calls = screenCalls(tool_calls, isWhole);
  const thought = text(reasoning_content) || text(reasoning);
  // What it says instead of an answer is words of the model too.
  const said = screenSaid(content) ?? (text(refusal) || null);
  return {
    content: said,
    ...optional('reasoning_content', thought),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
};

/** What the answer is, of OpenAI's wire: the same in a piece and in a whole one. */
export const screenAbout = ({ id, model, created }: Fields): Fields => ({
  ...optional('id', text(id)),
  ...optional('model', text(model)),
  ...(typeof created === 'number' && Number.isFinite(created) ? { created } : {}),
});

function screenOpenai(): PieceScreen {
  let hasDelta = false;
  return (piece) => {
    const { usage, choices } = piece;
    const [choice] = list(choices).map(fields);
    if (choice === undefined)
      return usage === undefined || usage === null
        ? null
        : toOwnUsage({ ...screenAbout(piece), choices: [], usage }, 'openai');
    const { delta, message, finish_reason } = choice;
    const isDelta = delta !== undefined && delta !== null;
    hasDelta ||= isDelta;
    // Some servers repeat the whole message at the end; others send it alone.
    const said = isDelta
      ? screenMessage(fields(delta), false)
      : screenMessage(fields(message), true);
    const one = {
      ...(isDelta || !hasDelta ? { delta: said } : {}),
      ...optional('finish_reason', text(finish_reason)),
    };
    return toOwnUsage({ ...screenAbout(piece), choices: [one], usage }, 'openai');
  };
}

export const createPieceScreen = (wire: Wire): PieceScreen =>
  wire === 'anthropic' ? screenAnthropic() : screenOpenai();

/** A piece that the provider passes over, and in which svc finds an error. */
export const toErrorPiece = (error: unknown, wire: Wire): Fields =>
  wire === 'anthropic' ? { type: 'ping', [OWN_ERROR]: error } : { choices: [], [OWN_ERROR]: error };

/** Members in which servers put the words of an error where they have no `error`. */
const WORDS = ['message', 'Message', 'detail', 'errors'];

/** Whether a piece is one of an answer, whatever else is in it. */
const isOfAnswer = (
  { type, object, choices, usage }: Fields,
  event: string,
  wire: Wire,
): boolean =>
  wire === 'anthropic'
    ? type !== undefined || event !== ''
    : choices !== undefined || usage !== undefined || event !== '' || /^chat/.test(text(object));

/**
 * The error that a piece of an answer holds, in whatever form its server writes it; undefined = it
 * holds none. `event`: name of the event, empty = it has none.
 */
export function findError(piece: unknown, event: string, wire: Wire): unknown {
  const found = fields(piece);
  const { error, type, object, choices } = found;
  if (event === 'error' || type === 'error' || object === 'error' || isSomething(error))
    return piece;
  if (!isOfAnswer(found, event, wire) && WORDS.some((name) => isSomething(found[name])))
    return piece;
  const [choice = {}] = list(choices).map(fields);
  if (isSomething(choice.error)) return choice.error;
  return choice.finish_reason === 'error'
    ? { message: 'The answer ended with the finish_reason "error".' }
    : undefined;
}

/** Servers write `null`, `""` and `{}` where they mean none. */
const isSomething = (error: unknown): boolean =>
  typeof error === 'object' && error !== null ? Object.keys(error).length > 0 : Boolean(error);
