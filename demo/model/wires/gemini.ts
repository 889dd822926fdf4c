import { toStringOrEmpty, toFields } from '../../../src/base/json/untrusted.ts';
import { isJsonObject } from '../../../src/base/json/isJsonObject.ts';
import { listSchemaFields, type Json, toJsonObjects, joinContentText } from '../jsonBody.ts';
import type { Message, Reply } from '../conversation.ts';
import { splitIntoPieces, type Wire } from './wire.ts';

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

/** What gemini puts around a tool's answer, and before a command's output. */
const WRAPPING = /^<untrusted_context>\n(?:Output: )?|\n<\/untrusted_context>$/g;

/** gemini wraps what a tool said into `output` or `error`. */
function parseGeminiAnswer(response: Json): Message {
  const answer = response.error ?? response.output ?? response;
  const plain = typeof answer === 'string' ? answer.replace(WRAPPING, '') : JSON.stringify(answer);
  return { from: 'tool', text: plain, failed: 'error' in response };
}

function parseGeminiMessages({ role, parts }: Json): Message[] {
  const all = toJsonObjects(parts);
  if (role === 'model') {
    return [
      {
        from: 'model',
        text: joinContentText(all),
        calls: all.filter(({ functionCall }) => isJsonObject(functionCall)).length,
      },
    ];
  }
  return all.map((part) =>
    isJsonObject(part.functionResponse)
      ? parseGeminiAnswer(toFields(part.functionResponse.response))
      : { from: 'user', text: toStringOrEmpty(part.text) },
  );
}

const parseGeminiTool = (declaration: Json) => ({
  name: toStringOrEmpty(declaration.name),
  namespace: null,
  fields: listSchemaFields(declaration.parametersJsonSchema ?? declaration.parameters),
});

const toGeminiChunk = (reply: Reply, parts: readonly unknown[], finished: boolean) => ({
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

const toGeminiThought = (text: string) => ({ text, thought: true });
const toGeminiCalls = (reply: Reply) =>
  reply.calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }));

export const gemini: Wire = {
  conversation: (body, { model, stream }) => ({
    model,
    stream,
    system: joinContentText(toFields(body.systemInstruction).parts),
    messages: toJsonObjects(body.contents).flatMap(parseGeminiMessages),
    tools: toJsonObjects(body.tools).flatMap(({ functionDeclarations }) =>
      toJsonObjects(functionDeclarations).map(parseGeminiTool),
    ),
  }),

  whole: (reply) =>
    toGeminiChunk(
      reply,
      [
        ...(reply.thinking === '' ? [] : [toGeminiThought(reply.thinking)]),
        ...(reply.text === '' ? [] : [{ text: reply.text }]),
        ...toGeminiCalls(reply),
      ],
      true,
    ),

  events: (reply) => [
    ...splitIntoPieces(reply.thinking).map((piece) => ({
      event: null,
      data: toGeminiChunk(reply, [toGeminiThought(piece)], false),
    })),
    ...splitIntoPieces(reply.text).map((piece) => ({
      event: null,
      data: toGeminiChunk(reply, [{ text: piece }], false),
      text: true as const,
    })),
    { event: null, data: toGeminiChunk(reply, toGeminiCalls(reply), true) },
  ],

  failure: (status, message) => ({
    error: { code: status, message, status: STATUS[status] ?? 'UNKNOWN' },
  }),
};
