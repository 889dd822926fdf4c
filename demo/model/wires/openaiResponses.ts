import { toStringOrEmpty } from '../../../src/base/json/untrusted.ts';
import { listSchemaFields, type Json, toJsonObjects, joinContentText } from '../jsonBody.ts';
import type { Message, OfferedTool, Reply } from '../conversation.ts';
import { splitIntoPieces, type Wire, type WireEvent } from './wire.ts';

const isResponsesSystemRole = (role: unknown): boolean => role === 'system' || role === 'developer';

function parseResponsesMessages({ type, role, content, output }: Json): Message[] {
  if (type === 'function_call') return [{ from: 'model', text: '', calls: 1 }];
  // On this wire an answer does not say whether the tool has failed.
  if (type === 'function_call_output')
    return [{ from: 'tool', text: joinContentText(output), failed: false }];
  if ((type !== undefined && type !== 'message') || isResponsesSystemRole(role)) return [];
  return [
    role === 'assistant'
      ? { from: 'model', text: joinContentText(content), calls: 0 }
      : { from: 'user', text: joinContentText(content) },
  ];
}

function parseResponsesTools({ type, name, parameters, tools }: Json): OfferedTool[] {
  if (type !== 'namespace')
    return [{ name: toStringOrEmpty(name), namespace: null, fields: listSchemaFields(parameters) }];
  return toJsonObjects(tools).map((tool) => ({
    name: toStringOrEmpty(tool.name),
    namespace: toStringOrEmpty(name),
    fields: listSchemaFields(tool.parameters),
  }));
}

const buildResponsesItems = (reply: Reply) => [
  ...(reply.thinking === ''
    ? []
    : [
        {
          type: 'reasoning',
          id: `${reply.id}_r`,
          summary: [{ type: 'summary_text', text: reply.thinking }],
        },
      ]),
  ...(reply.text === ''
    ? []
    : [
        {
          type: 'message',
          id: `${reply.id}_m`,
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: reply.text, annotations: [] }],
        },
      ]),
  ...reply.calls.map(({ id, name, namespace, args }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    status: 'completed',
    name,
    ...(namespace === null ? {} : { namespace }),
    arguments: JSON.stringify(args),
  })),
];

const explainIncompleteResponse = ({ stop }: Reply): string | null =>
  stop === 'max_tokens' ? 'max_output_tokens' : stop === 'refusal' ? 'content_filter' : null;

function buildResponsesObject(reply: Reply, finished: boolean) {
  const reason = finished ? explainIncompleteResponse(reply) : null;
  const { input, output, cached } = reply.tokens;
  return {
    id: reply.id,
    object: 'response',
    created_at: 0,
    model: reply.model,
    status: finished ? (reason === null ? 'completed' : 'incomplete') : 'in_progress',
    incomplete_details: reason === null ? null : { reason },
    output: finished ? buildResponsesItems(reply) : [],
    usage: finished
      ? {
          input_tokens: input,
          input_tokens_details: { cached_tokens: cached },
          output_tokens: output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: input + output,
        }
      : null,
  };
}

export const openaiResponses: Wire = {
  conversation: (body) => {
    const input =
      typeof body.input === 'string'
        ? [{ role: 'user', content: body.input }]
        : toJsonObjects(body.input);
    const system = input.flatMap(({ role, content }) =>
      isResponsesSystemRole(role) ? [joinContentText(content)] : [],
    );
    return {
      model: toStringOrEmpty(body.model),
      stream: body.stream === true,
      system: [toStringOrEmpty(body.instructions), ...system]
        .filter((part) => part !== '')
        .join('\n'),
      messages: input.flatMap(parseResponsesMessages),
      tools: toJsonObjects(body.tools).flatMap(parseResponsesTools),
    };
  },

  whole: (reply) => buildResponsesObject(reply, true),

  events(reply) {
    let sequence = 0;
    const event = (type: string, rest: Json): WireEvent => {
      const data = { type, sequence_number: sequence, ...rest };
      sequence += 1;
      return { event: type, data };
    };
    const streamed = (
      item: ReturnType<typeof buildResponsesItems>[number],
      index: number,
    ): WireEvent[] => {
      const at = { item_id: item.id, output_index: index };
      if (item.type === 'message') {
        return [
          ...splitIntoPieces(reply.text).map((delta) => ({
            ...event('response.output_text.delta', { ...at, content_index: 0, delta }),
            text: true as const,
          })),
          event('response.output_text.done', { ...at, content_index: 0, text: reply.text }),
        ];
      }
      if (!('arguments' in item)) {
        return splitIntoPieces(reply.thinking).map((delta) =>
          event('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta }),
        );
      }
      return [
        ...splitIntoPieces(item.arguments).map((delta) =>
          event('response.function_call_arguments.delta', { ...at, delta }),
        ),
        event('response.function_call_arguments.done', { ...at, arguments: item.arguments }),
      ];
    };
    const toStartedItem = (item: ReturnType<typeof buildResponsesItems>[number]) => ({
      ...item,
      ...('status' in item ? { status: 'in_progress' } : {}),
      ...('content' in item ? { content: [] } : {}),
      ...('arguments' in item ? { arguments: '' } : {}),
    });
    return [
      event('response.created', { response: buildResponsesObject(reply, false) }),
      ...buildResponsesItems(reply).flatMap((item, index) => [
        event('response.output_item.added', { output_index: index, item: toStartedItem(item) }),
        ...streamed(item, index),
        event('response.output_item.done', { output_index: index, item }),
      ]),
      event(
        explainIncompleteResponse(reply) === null ? 'response.completed' : 'response.incomplete',
        {
          response: buildResponsesObject(reply, true),
        },
      ),
    ];
  },

  failure: (status, message) => ({
    error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', code: null },
  }),
};
