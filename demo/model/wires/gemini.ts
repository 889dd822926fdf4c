import { fieldsOf, type Json, isObject, object, objects, text, textOf } from '../body.ts';
import type { Message, Reply } from '../conversation.ts';
import { pieces, type Wire } from './wire.ts';

const FINISH = {
  end_turn: 'STOP',
  tool_use: 'STOP',
  max_tokens: 'MAX_TOKENS',
  pause_turn: 'STOP',
  refusal: 'SAFETY',
} as const;

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** Around what a tool said, and before what a command wrote. */
const WRAPPING = /^<untrusted_context>\n(?:Output: )?|\n<\/untrusted_context>$/g;

/** gemini wraps what a tool said into `output` or `error`. */
function answerOf(response: Json): Message {
  const said = response.error ?? response.output ?? response;
  const plain = typeof said === 'string' ? said.replace(WRAPPING, '') : JSON.stringify(said);
  return { from: 'tool', text: plain, failed: 'error' in response };
}

function messagesOf({ role, parts }: Json): Message[] {
  const all = objects(parts);
  if (role === 'model') {
    return [
      {
        from: 'model',
        text: textOf(all),
        calls: all.filter(({ functionCall }) => isObject(functionCall)).length,
      },
    ];
  }
  return all.map((part) =>
    isObject(part.functionResponse)
      ? answerOf(object(part.functionResponse.response))
      : { from: 'user', text: text(part.text) },
  );
}

const toolOf = (declaration: Json) => ({
  name: text(declaration.name),
  namespace: null,
  fields: fieldsOf(declaration.parametersJsonSchema ?? declaration.parameters),
});

const chunk = (reply: Reply, parts: readonly unknown[], finished: boolean) => ({
  candidates: [
    {
      content: { role: 'model', parts },
      ...(finished ? { finishReason: FINISH[reply.stop] } : {}),
      index: 0,
    },
  ],
  ...(finished
    ? {
        usageMetadata: {
          promptTokenCount: reply.tokens.input,
          candidatesTokenCount: reply.tokens.output,
          totalTokenCount: reply.tokens.input + reply.tokens.output,
          cachedContentTokenCount: reply.tokens.cached,
        },
      }
    : {}),
  modelVersion: reply.model,
  responseId: reply.id,
});

const thought = (said: string) => ({ text: said, thought: true });
const calls = (reply: Reply) =>
  reply.calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }));

/** Gemini's generateContent. */
export const gemini: Wire = {
  conversation: (body, { model, stream }) => ({
    model,
    stream,
    system: textOf(object(body.systemInstruction).parts),
    messages: objects(body.contents).flatMap(messagesOf),
    tools: objects(body.tools).flatMap(({ functionDeclarations }) =>
      objects(functionDeclarations).map(toolOf),
    ),
  }),

  whole: (reply) =>
    chunk(
      reply,
      [
        ...(reply.thinking === '' ? [] : [thought(reply.thinking)]),
        ...(reply.text === '' ? [] : [{ text: reply.text }]),
        ...calls(reply),
      ],
      true,
    ),

  events: (reply) => [
    ...pieces(reply.thinking).map((piece) => ({
      event: null,
      data: chunk(reply, [thought(piece)], false),
    })),
    ...pieces(reply.text).map((piece) => ({
      event: null,
      data: chunk(reply, [{ text: piece }], false),
      text: true as const,
    })),
    { event: null, data: chunk(reply, calls(reply), true) },
  ],

  failure: (status, message) => ({
    error: { code: status, message, status: STATUS[status] ?? 'UNKNOWN' },
  }),
};
