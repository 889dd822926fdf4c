import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../base/json/untrusted.ts';
import { toOwnUsage } from './ownMembers.ts';
import { screenAbout, screenMessage, type Wire } from './screenPiece.ts';

/** Blocks of Anthropic's wire that svc knows, with what the schema requires of each. */
const screenBlocks = (content: unknown, messageId: string): Fields[] =>
  (typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : toListOrEmpty(content)
  ).flatMap((part, index): Fields[] => {
    const block = toFields(part);
    const { type } = block;
    if (type === 'text') return [{ type, text: toStringOrEmpty(block.text) }];
    if (type === 'thinking')
      return [
        {
          type,
          thinking: toStringOrEmpty(block.thinking),
          signature: toStringOrEmpty(block.signature),
        },
      ];
    if (type === 'redacted_thinking') return [{ type, data: toStringOrEmpty(block.data) }];
    if (type !== 'tool_use' || toStringOrEmpty(block.name) === '') return [];
    const id = toStringOrEmpty(block.id) || `${messageId}_${index}`;
    return [{ type, id, name: block.name, input: toFields(block.input) }];
  });

/** A whole answer in the form of the provider's schema; null = it is not an answer. */
export function screenAnswer(value: unknown, wire: Wire): Fields | null {
  const answer = toFields(value);
  const { id, model, usage, stop_reason } = answer;
  if (wire === 'anthropic') {
    if (typeof answer.content !== 'string' && !Array.isArray(answer.content)) return null;
    const about = {
      type: 'message',
      id: toStringOrEmpty(id),
      model: toStringOrEmpty(model),
      role: 'assistant',
    };
    const content = screenBlocks(answer.content, toStringOrEmpty(id));
    const why = toStringOrEmpty(stop_reason) === '' ? {} : { stop_reason };
    return toOwnUsage({ ...about, content, ...why, usage }, wire);
  }
  const [choice] = toListOrEmpty(answer.choices).map(toFields);
  if (choice === undefined) return null;
  // Older completions have their text beside the message.
  const message = choice.message ?? { content: choice.text };
  const { finish_reason } = choice;
  const why = toStringOrEmpty(finish_reason) === '' ? {} : { finish_reason };
  const one = { message: screenMessage(toFields(message), true), ...why };
  return toOwnUsage({ ...screenAbout(answer), choices: [one], usage }, wire);
}

const toBlockPieces = (block: Fields, index: number): Fields[] => {
  const { type } = block;
  const start = (content_block: Fields): Fields => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (deltaFields: Fields): Fields => ({
    type: 'content_block_delta',
    index,
    delta: deltaFields,
  });
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
 * Splits a whole answer into the pieces of a stream, for an endpoint that does not stream though
 * asked to. `answer`: from {@link screenAnswer}.
 */
export function toPieces(answer: Fields, wire: Wire): Fields[] {
  if (wire === 'openai') {
    const [choice] = toListOrEmpty(answer.choices).map(toFields);
    const { message, finish_reason } = choice ?? {};
    const why = toStringOrEmpty(finish_reason) || 'stop';
    return [{ ...answer, choices: [{ delta: message, finish_reason: why }] }];
  }
  const { content, stop_reason, type: _type, ...about } = answer;
  const why = toStringOrEmpty(stop_reason) || 'end_turn';
  const { usage } = answer;
  return [
    { type: 'message_start', message: about },
    ...toListOrEmpty(content).map(toFields).flatMap(toBlockPieces),
    { type: 'message_delta', delta: { stop_reason: why }, usage },
    { type: 'message_stop' },
  ];
}
