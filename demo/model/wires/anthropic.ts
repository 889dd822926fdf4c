import { fieldsOf, type Json, objects, text, textOf } from '../body.ts';
import type { Message, Reply } from '../conversation.ts';
import { FIRST_OUTPUT, pieces, type Wire, type WireEvent } from './wire.ts';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function messagesOf({ role, content }: Json): Message[] {
  if (role === 'assistant') {
    return [
      {
        from: 'model',
        text: textOf(content),
        calls: objects(content).filter(({ type }) => type === 'tool_use').length,
      },
    ];
  }
  // Agents put instructions of theirs between the messages in the role of the system: they are no
  // word of the user.
  if (role === 'system') return [];
  if (typeof content === 'string') return [{ from: 'user', text: content }];
  return objects(content).map((block) =>
    block.type === 'tool_result'
      ? { from: 'tool', text: textOf(block.content), failed: block.is_error === true }
      : { from: 'user', text: text(block.text) },
  );
}

const systemOf = ({ system, messages }: Json): string =>
  [
    textOf(system),
    ...objects(messages).flatMap(({ role, content }) =>
      role === 'system' ? [textOf(content)] : [],
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');

const usageOf = ({ tokens }: Reply, output: number) => ({
  input_tokens: tokens.input - tokens.cached - (tokens.written ?? 0),
  cache_creation_input_tokens: tokens.written ?? 0,
  cache_read_input_tokens: tokens.cached,
  output_tokens: output,
});

const messageOf = (
  reply: Reply,
  content: readonly unknown[],
  stop: string | null,
  output: number,
) => ({
  id: reply.id,
  type: 'message',
  role: 'assistant',
  model: reply.model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: usageOf(reply, output),
});

/** Blocks of the reply: each with its empty form, what is streamed into it, and its whole form. */
const blocksOf = ({ thinking, text: said, pieceChars, calls }: Reply) => [
  ...(thinking === ''
    ? []
    : [
        {
          start: { type: 'thinking', thinking: '', signature: '' },
          deltas: [
            ...pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
            { type: 'signature_delta', signature: 'c2lnbmVk' },
          ],
          whole: { type: 'thinking', thinking, signature: 'c2lnbmVk' },
        },
      ]),
  ...(said === ''
    ? []
    : [
        {
          start: { type: 'text', text: '' },
          deltas: pieces(said, pieceChars).map((piece) => ({ type: 'text_delta', text: piece })),
          whole: { type: 'text', text: said },
        },
      ]),
  ...calls.map(({ id, name, args }) => ({
    start: { type: 'tool_use', id, name, input: {} },
    deltas: pieces(JSON.stringify(args)).map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    })),
    whole: { type: 'tool_use', id, name, input: args },
  })),
];

const event = (data: { type: string } & Json): WireEvent => ({ event: data.type, data });

/** Anthropic Messages. */
export const anthropic: Wire = {
  conversation: (body) => ({
    model: text(body.model),
    stream: body.stream === true,
    system: systemOf(body),
    messages: objects(body.messages).flatMap(messagesOf),
    tools: objects(body.tools).map((tool) => ({
      name: text(tool.name),
      namespace: null,
      fields: fieldsOf(tool.input_schema),
    })),
  }),

  whole: (reply) =>
    messageOf(
      reply,
      blocksOf(reply).map(({ whole }) => whole),
      reply.stop,
      reply.tokens.output,
    ),

  events: (reply) => [
    {
      ...event({ type: 'message_start', message: messageOf(reply, [], null, FIRST_OUTPUT) }),
      tells: 'input' as const,
    },
    event({ type: 'ping' }),
    ...blocksOf(reply).flatMap(({ start, deltas }, index) => [
      event({ type: 'content_block_start', index, content_block: start }),
      ...deltas.map((delta) => ({
        ...event({ type: 'content_block_delta', index, delta }),
        ...(delta.type === 'text_delta' ? { text: true as const } : {}),
      })),
      event({ type: 'content_block_stop', index }),
    ]),
    {
      ...event({
        type: 'message_delta',
        delta: { stop_reason: reply.stop, stop_sequence: null },
        usage: { output_tokens: reply.tokens.output },
      }),
      tells: 'all' as const,
    },
    event({ type: 'message_stop' }),
  ],

  tellsWrites: true,

  failure: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
  }),
};
