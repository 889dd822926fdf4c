import { fieldsOf, type Json, object, objects, text, textOf } from '../body.ts';
import type { Message, Reply } from '../conversation.ts';
import { pieces, type Wire, type WireEvent } from './wire.ts';

const FINISH = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  // This wire has no word for a pause.
  pause_turn: 'stop',
  refusal: 'content_filter',
} as const;

const isSystem = (role: unknown): boolean => role === 'system' || role === 'developer';

function messagesOf({ role, content, tool_calls }: Json): Message[] {
  if (isSystem(role)) return [];
  if (role === 'assistant')
    return [{ from: 'model', text: textOf(content), calls: objects(tool_calls).length }];
  // This wire does not say of an answer that the tool has failed.
  if (role === 'tool') return [{ from: 'tool', text: textOf(content), failed: false }];
  return [{ from: 'user', text: textOf(content) }];
}

const callsOf = ({ calls }: Reply) =>
  calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));

const usageOf = ({ tokens }: Reply) => ({
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
  prompt_tokens_details: { cached_tokens: tokens.cached },
});

const document = (reply: Reply, object: string, rest: Json) => ({
  id: reply.id,
  object,
  created: 0,
  model: reply.model,
  ...rest,
});

/** OpenAI chat completions. */
export const openaiChat: Wire = {
  conversation: (body) => ({
    model: text(body.model),
    stream: body.stream === true,
    system: objects(body.messages)
      .flatMap(({ role, content }) => (isSystem(role) ? [textOf(content)] : []))
      .join('\n'),
    messages: objects(body.messages).flatMap(messagesOf),
    tools: objects(body.tools)
      .map((tool) => object(tool.function))
      .map((tool) => ({
        name: text(tool.name),
        namespace: null,
        fields: fieldsOf(tool.parameters),
      })),
  }),

  whole: (reply) =>
    document(reply, 'chat.completion', {
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: reply.text === '' ? null : reply.text,
            ...(reply.thinking === '' ? {} : { reasoning_content: reply.thinking }),
            ...(reply.calls.length === 0 ? {} : { tool_calls: callsOf(reply) }),
          },
          finish_reason: FINISH[reply.stop],
        },
      ],
      usage: usageOf(reply),
    }),

  events(reply) {
    const chunk = (delta: Json, finish: string | null = null): WireEvent => ({
      event: null,
      data: document(reply, 'chat.completion.chunk', {
        choices: [{ index: 0, delta, finish_reason: finish }],
      }),
    });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(reply.thinking).map((piece) => chunk({ reasoning_content: piece })),
      ...pieces(reply.text).map((piece) => ({ ...chunk({ content: piece }), text: true as const })),
      ...callsOf(reply).flatMap(({ id, type, function: { name, arguments: args } }, index) => [
        chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
        ...pieces(args).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, FINISH[reply.stop]),
      {
        event: null,
        data: document(reply, 'chat.completion.chunk', { choices: [], usage: usageOf(reply) }),
        tells: 'all',
      },
      { event: null, data: '[DONE]' },
    ];
  },

  failure: (status, message) => ({
    error: {
      message,
      type: status >= 500 ? 'server_error' : 'invalid_request_error',
      code: status,
    },
  }),
};
