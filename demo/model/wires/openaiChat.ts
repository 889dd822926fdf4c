import { toStringOrEmpty, toFields } from '../../../src/base/json/untrusted.ts';
import { listSchemaFields, type Json, toJsonObjects, joinContentText } from '../jsonBody.ts';
import type { Message, Reply } from '../conversation.ts';
import { splitIntoPieces, type Wire, type WireEvent } from './wire.ts';

const FINISH = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  // This wire has no word for a pause.
  pause_turn: 'stop',
  refusal: 'content_filter',
} as const;

const isChatSystemRole = (role: unknown): boolean => role === 'system' || role === 'developer';

function parseChatMessages({ role, content, tool_calls }: Json): Message[] {
  if (isChatSystemRole(role)) return [];
  if (role === 'assistant')
    return [
      { from: 'model', text: joinContentText(content), calls: toJsonObjects(tool_calls).length },
    ];
  // On this wire an answer does not say whether the tool has failed.
  if (role === 'tool') return [{ from: 'tool', text: joinContentText(content), failed: false }];
  return [{ from: 'user', text: joinContentText(content) }];
}

const toChatToolCalls = ({ calls }: Reply) =>
  calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));

const toChatUsage = ({ tokens }: Reply) => ({
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
  prompt_tokens_details: { cached_tokens: tokens.cached },
});

const buildChatDocument = (reply: Reply, object: string, rest: Json) => ({
  id: reply.id,
  object,
  created: 0,
  model: reply.model,
  ...rest,
});

export const openaiChat: Wire = {
  conversation: (body) => ({
    model: toStringOrEmpty(body.model),
    stream: body.stream === true,
    system: toJsonObjects(body.messages)
      .flatMap(({ role, content }) => (isChatSystemRole(role) ? [joinContentText(content)] : []))
      .join('\n'),
    messages: toJsonObjects(body.messages).flatMap(parseChatMessages),
    tools: toJsonObjects(body.tools)
      .map((tool) => toFields(tool.function))
      .map((tool) => ({
        name: toStringOrEmpty(tool.name),
        namespace: null,
        fields: listSchemaFields(tool.parameters),
      })),
  }),

  whole: (reply) =>
    buildChatDocument(reply, 'chat.completion', {
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: reply.text === '' ? null : reply.text,
            ...(reply.thinking === '' ? {} : { reasoning_content: reply.thinking }),
            ...(reply.calls.length === 0 ? {} : { tool_calls: toChatToolCalls(reply) }),
          },
          finish_reason: FINISH[reply.stop],
        },
      ],
      usage: toChatUsage(reply),
    }),

  events(reply) {
    const chunk = (delta: Json, finish: string | null = null): WireEvent => ({
      event: null,
      data: buildChatDocument(reply, 'chat.completion.chunk', {
        choices: [{ index: 0, delta, finish_reason: finish }],
      }),
    });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...splitIntoPieces(reply.thinking).map((piece) => chunk({ reasoning_content: piece })),
      ...splitIntoPieces(reply.text).map((piece) => ({
        ...chunk({ content: piece }),
        text: true as const,
      })),
      ...toChatToolCalls(reply).flatMap(
        ({ id, type, function: { name, arguments: args } }, index) => [
          chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
          ...splitIntoPieces(args).map((piece) =>
            chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          ),
        ],
      ),
      chunk({}, FINISH[reply.stop]),
      {
        event: null,
        data: buildChatDocument(reply, 'chat.completion.chunk', {
          choices: [],
          usage: toChatUsage(reply),
        }),
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
