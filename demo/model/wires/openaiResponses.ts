import { fieldsOf, type Json, objects, text, textOf } from '../body.ts';
import type { Message, OfferedTool, Reply } from '../conversation.ts';
import { pieces, type Wire, type WireEvent } from './wire.ts';

const isSystem = (role: unknown): boolean => role === 'system' || role === 'developer';

function messagesOf({ type, role, content, output }: Json): Message[] {
  if (type === 'function_call') return [{ from: 'model', text: '', calls: 1 }];
  // This wire does not say of an answer that the tool has failed.
  if (type === 'function_call_output')
    return [{ from: 'tool', text: textOf(output), failed: false }];
  if ((type !== undefined && type !== 'message') || isSystem(role)) return [];
  return [
    role === 'assistant'
      ? { from: 'model', text: textOf(content), calls: 0 }
      : { from: 'user', text: textOf(content) },
  ];
}

function toolsOf({ type, name, parameters, tools }: Json): OfferedTool[] {
  if (type !== 'namespace')
    return [{ name: text(name), namespace: null, fields: fieldsOf(parameters) }];
  return objects(tools).map((tool) => ({
    name: text(tool.name),
    namespace: text(name),
    fields: fieldsOf(tool.parameters),
  }));
}

const itemsOf = (reply: Reply) => [
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

const whyIncomplete = ({ stop }: Reply): string | null =>
  stop === 'max_tokens' ? 'max_output_tokens' : stop === 'refusal' ? 'content_filter' : null;

function responseOf(reply: Reply, finished: boolean) {
  const reason = finished ? whyIncomplete(reply) : null;
  const { input, output, cached } = reply.tokens;
  return {
    id: reply.id,
    object: 'response',
    created_at: 0,
    model: reply.model,
    status: finished ? (reason === null ? 'completed' : 'incomplete') : 'in_progress',
    incomplete_details: reason === null ? null : { reason },
    output: finished ? itemsOf(reply) : [],
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

/** OpenAI responses. */
export const openaiResponses: Wire = {
  conversation: (body) => {
    const input =
      typeof body.input === 'string'
        ? [{ role: 'user', content: body.input }]
        : objects(body.input);
    const system = input.flatMap(({ role, content }) => (isSystem(role) ? [textOf(content)] : []));
    return {
      model: text(body.model),
      stream: body.stream === true,
      system: [text(body.instructions), ...system].filter((part) => part !== '').join('\n'),
      messages: input.flatMap(messagesOf),
      tools: objects(body.tools).flatMap(toolsOf),
    };
  },

  whole: (reply) => responseOf(reply, true),

  events(reply) {
    let sequence = 0;
    const event = (type: string, rest: Json): WireEvent => {
      const data = { type, sequence_number: sequence, ...rest };
      sequence += 1;
      return { event: type, data };
    };
    const streamed = (item: ReturnType<typeof itemsOf>[number], index: number): WireEvent[] => {
      const at = { item_id: item.id, output_index: index };
      if (item.type === 'message') {
        return [
          ...pieces(reply.text).map((delta) => ({
            ...event('response.output_text.delta', { ...at, content_index: 0, delta }),
            text: true as const,
          })),
          event('response.output_text.done', { ...at, content_index: 0, text: reply.text }),
        ];
      }
      if (!('arguments' in item)) {
        return pieces(reply.thinking).map((delta) =>
          event('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta }),
        );
      }
      return [
        ...pieces(item.arguments).map((delta) =>
          event('response.function_call_arguments.delta', { ...at, delta }),
        ),
        event('response.function_call_arguments.done', { ...at, arguments: item.arguments }),
      ];
    };
    const begun = (item: ReturnType<typeof itemsOf>[number]) => ({
      ...item,
      ...('status' in item ? { status: 'in_progress' } : {}),
      ...('content' in item ? { content: [] } : {}),
      ...('arguments' in item ? { arguments: '' } : {}),
    });
    return [
      event('response.created', { response: responseOf(reply, false) }),
      ...itemsOf(reply).flatMap((item, index) => [
        event('response.output_item.added', { output_index: index, item: begun(item) }),
        ...streamed(item, index),
        event('response.output_item.done', { output_index: index, item }),
      ]),
      event(whyIncomplete(reply) === null ? 'response.completed' : 'response.incomplete', {
        response: responseOf(reply, true),
      }),
    ];
  },

  failure: (status, message) => ({
    error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', code: null },
  }),
};
