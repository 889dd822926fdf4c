import { toStringOrEmpty } from '../../../src/base/json/untrusted.ts';
import { listSchemaFields, type Json, toJsonObjects, joinContentText } from '../jsonBody.ts';
import type { Message, Reply } from '../conversation.ts';
import { FIRST_OUTPUT, splitIntoPieces, type Wire, type WireEvent } from './wire.ts';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function parseAnthropicMessages({ role, content }: Json): Message[] {
  if (role === 'assistant') {
    return [
      {
        from: 'model',
        text: joinContentText(content),
        calls: toJsonObjects(content).filter(({ type }) => type === 'tool_use').length,
      },
    ];
  }
  // Agents put their own instructions between the messages as `system`: these are not the user's
  // words.
  if (role === 'system') return [];
  if (typeof content === 'string') return [{ from: 'user', text: content }];
  return toJsonObjects(content).map((block) =>
    block.type === 'tool_result'
      ? { from: 'tool', text: joinContentText(block.content), failed: block.is_error === true }
      : { from: 'user', text: toStringOrEmpty(block.text) },
  );
}

const joinAnthropicSystem = ({ system, messages }: Json): string =>
  [
    joinContentText(system),
    ...toJsonObjects(messages).flatMap(({ role, content }) =>
      role === 'system' ? [joinContentText(content)] : [],
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');

const toAnthropicUsage = ({ tokens }: Reply, output: number) => ({
  input_tokens: tokens.input - tokens.cached - (tokens.written ?? 0),
  cache_creation_input_tokens: tokens.written ?? 0,
  cache_read_input_tokens: tokens.cached,
  output_tokens: output,
});

const buildAnthropicMessage = (
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
  usage: toAnthropicUsage(reply, output),
});

/** Blocks of the reply: each empty, in streamed pieces, and complete. */
const buildAnthropicBlocks = ({ thinking, text, pieceChars, calls }: Reply) => [
  ...(thinking === ''
    ? []
    : [
        {
          start: { type: 'thinking', thinking: '', signature: '' },
          deltas: [
            ...splitIntoPieces(thinking).map((piece) => ({
              type: 'thinking_delta',
              thinking: piece,
            })),
            { type: 'signature_delta', signature: 'c2lnbmVk' },
          ],
          whole: { type: 'thinking', thinking, signature: 'c2lnbmVk' },
        },
      ]),
  ...(text === ''
    ? []
    : [
        {
          start: { type: 'text', text: '' },
          deltas: splitIntoPieces(text, pieceChars).map((piece) => ({
            type: 'text_delta',
            text: piece,
          })),
          whole: { type: 'text', text },
        },
      ]),
  ...calls.map(({ id, name, args }) => ({
    start: { type: 'tool_use', id, name, input: {} },
    deltas: splitIntoPieces(JSON.stringify(args)).map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    })),
    whole: { type: 'tool_use', id, name, input: args },
  })),
];

const toAnthropicEvent = (data: { type: string } & Json): WireEvent => ({ event: data.type, data });

export const anthropic: Wire = {
  conversation: (body) => ({
    model: toStringOrEmpty(body.model),
    stream: body.stream === true,
    system: joinAnthropicSystem(body),
    messages: toJsonObjects(body.messages).flatMap(parseAnthropicMessages),
    tools: toJsonObjects(body.tools).map((tool) => ({
      name: toStringOrEmpty(tool.name),
      namespace: null,
      fields: listSchemaFields(tool.input_schema),
    })),
  }),

  whole: (reply) =>
    buildAnthropicMessage(
      reply,
      buildAnthropicBlocks(reply).map(({ whole }) => whole),
      reply.stop,
      reply.tokens.output,
    ),

  events: (reply) => [
    {
      ...toAnthropicEvent({
        type: 'message_start',
        message: buildAnthropicMessage(reply, [], null, FIRST_OUTPUT),
      }),
      tells: 'input' as const,
    },
    toAnthropicEvent({ type: 'ping' }),
    ...buildAnthropicBlocks(reply).flatMap(({ start, deltas }, index) => [
      toAnthropicEvent({ type: 'content_block_start', index, content_block: start }),
      ...deltas.map((delta) => ({
        ...toAnthropicEvent({ type: 'content_block_delta', index, delta }),
        ...(delta.type === 'text_delta' ? { text: true as const } : {}),
      })),
      toAnthropicEvent({ type: 'content_block_stop', index }),
    ]),
    {
      ...toAnthropicEvent({
        type: 'message_delta',
        delta: { stop_reason: reply.stop, stop_sequence: null },
        usage: { output_tokens: reply.tokens.output },
      }),
      tells: 'all' as const,
    },
    toAnthropicEvent({ type: 'message_stop' }),
  ],

  tellsWrites: true,

  failure: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
  }),
};
