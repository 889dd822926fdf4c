import { type Fields, fields, list, text } from '../../lib/untrusted.ts';
import { toOwnUsage } from './ownMembers.ts';
import { screenAbout, screenMessage, type Wire } from './screenPiece.ts';

/** Blocks of a message of Anthropic's wire that svc knows, with what the schema requires of each. */
const screenBlocks = (content: unknown, messageId: string): Fields[] =>
  (typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)).flatMap(
    (given, index): Fields[] => {
      const block = fields(given);
      const { type } = block;
      if (type === 'text') return [{ type, text: text(block.text) }];
      if (type === 'thinking')
        return [{ type, thinking: text(block.thinking), signature: text(block.signature) }];
      if (type === 'redacted_thinking') return [{ type, data: text(block.data) }];
      if (type !== 'tool_use' || text(block.name) === '') return [];
      const id = text(block.id) || `${messageId}_${index}`;
      return [{ type, id, name: block.name, input: fields(block.input) }];
    },
  );

/** A whole answer as the provider's schema takes it; null = it is no answer. */
export function screenWhole(value: unknown, wire: Wire): Fields | null {
  const answer = fields(value);
  const { id, model, usage, stop_reason } = answer;
  if (wire === 'anthropic') {
    if (typeof answer.content !== 'string' && !Array.isArray(answer.content)) return null;
    const about = { type: 'message', id: text(id), model: text(model), role: 'assistant' };
    const content = screenBlocks(answer.content, text(id));
    const why = text(stop_reason) === '' ? {} : { stop_reason };
    return toOwnUsage({ ...about, content, ...why, usage }, wire);
  }
  const [choice] = list(answer.choices).map(fields);
  if (choice === undefined) return null;
  // Completions of an older kind have their words beside the message.
  const message = choice.message ?? { content: choice.text };
  const { finish_reason } = choice;
  const why = text(finish_reason) === '' ? {} : { finish_reason };
  const one = { message: screenMessage(fields(message), true), ...why };
  return toOwnUsage({ ...screenAbout(answer), choices: [one], usage }, wire);
}

const toBlockPieces = (block: Fields, index: number): Fields[] => {
  const { type } = block;
  const start = (content_block: Fields): Fields => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (given: Fields): Fields => ({ type: 'content_block_delta', index, delta: given });
  const inner =
    type === 'text'
      ? [start({ type, text: '' }), delta({ type: 'text_delta', text: block.text })]
      : type === 'thinking'
        ? [
            start({ type, thinking: '' }),
            delta({ type: 'thinking_delta', thinking: block.thinking }),
            delta({ type: 'signature_delta', signature: block.signature }),
          ]
        : type === 'tool_use'
          ? [
              start({ ...block, input: {} }),
              delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }),
            ]
          : [start(block)];
  return [...inner, { type: 'content_block_stop', index }];
};

/**
 * The pieces in which a server that streams would have sent a whole answer, for an endpoint that
 * does not stream though it is asked to. `answer`: of {@link screenWhole}.
 */
export function toPieces(answer: Fields, wire: Wire): Fields[] {
  if (wire === 'openai') {
    const [choice] = list(answer.choices).map(fields);
    const { message, finish_reason } = choice ?? {};
    const why = text(finish_reason) || 'stop';
    return [{ ...answer, choices: [{ delta: message, finish_reason: why }] }];
  }
  const { content, stop_reason, type: _type, ...about } = answer;
  const why = text(stop_reason) || 'end_turn';
  const { usage } = answer;
  return [
    { type: 'message_start', message: about },
    ...list(content).map(fields).flatMap(toBlockPieces),
    { type: 'message_delta', delta: { stop_reason: why }, usage },
    { type: 'message_stop' },
  ];
}
