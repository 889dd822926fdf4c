import type { Tables } from '../../contract/records/tables.ts';
import {
  PLAIN_SPAN,
  pickKnownAttributes,
  toSessionKey,
  toVisitKey,
  type Attributes,
  type AttributeValue,
  type TraceSpan,
} from './traceSpan.ts';

type CallRow = Tables['usage_calls'];

/** A number of the ledger that belongs to the decision layer and no session. */
export const NO_SESSION = 0;
const MICRO = 1_000_000;

/** The provider of a model as the conventions name it, by how the names of its models begin. */
const MODEL_VENDORS: readonly [RegExp, string][] = [
  [/(^|[./])claude/i, 'anthropic'],
  [/(^|[./])(gpt|o[1-9]|chatgpt|codex)/i, 'openai'],
  [/(^|[./])gemini/i, 'gcp.gemini'],
  [/(^|[./])(mi[sx]tral|codestral|devstral|magistral)/i, 'mistral_ai'],
  [/(^|[./])deepseek/i, 'deepseek'],
  [/(^|[./])grok/i, 'x_ai'],
  [/(^|[./])command/i, 'cohere'],
];

/** `executor`: what ran it, which is named where the model does not tell its provider. */
export const findModelProvider = (model: string | null, executor: string | null): string =>
  MODEL_VENDORS.find(([pattern]) => pattern.test(model ?? ''))?.[1] ?? executor ?? '_OTHER';

const toUsageAttributes = (rows: readonly CallRow[]): Attributes => {
  const sum = (read: (row: CallRow) => number) => rows.reduce((total, row) => total + read(row), 0);
  const cost: AttributeValue | null = rows.some(({ micro_usd }) => micro_usd === null)
    ? null
    : { double: sum((row) => row.micro_usd ?? 0) / MICRO };
  return pickKnownAttributes({
    'gen_ai.usage.input_tokens': sum((row) => row.input_tokens),
    'gen_ai.usage.output_tokens': sum((row) => row.output_tokens),
    'gen_ai.usage.cache_read.input_tokens': sum((row) => row.cached_input_tokens),
    'gen_ai.usage.cache_creation.input_tokens': sum((row) => row.cache_write_tokens),
    'gen_ai.usage.reasoning.output_tokens': sum((row) => row.reasoning_tokens),
    'svc.cost.usd': cost,
  });
};

const isCall = ({ source }: CallRow): boolean => source !== 'none';

/** What calls of a session have used together; empty where none was reported. */
export const sumCalls = (rows: readonly CallRow[]): Attributes => {
  const calls = rows.filter(isCall);
  return calls.length === 0
    ? {}
    : { ...toUsageAttributes(calls), 'svc.session.calls': calls.length };
};

/**
 * Spans of calls of a model. Executors report a call when it has ended: it is taken to have begun
 * when what came before it ended, which is one of `marks` (epoch ms, ascending) or the call before.
 */
export function buildCallSpans(
  jobId: string,
  rows: readonly CallRow[],
  marks: readonly number[],
): TraceSpan[] {
  let before: number | null = null;
  return rows.filter(isCall).map((row) => {
    const { visit, session, seq, at, model, provider, metered, source } = row;
    const earlier: number[] = [
      ...marks.filter((mark) => mark <= at),
      ...(before === null ? [] : [before]),
    ];
    before = at;
    return {
      ...PLAIN_SPAN,
      key: `model/${visit}.${session}.${seq}`,
      parent: session === NO_SESSION ? toVisitKey(visit) : toSessionKey(visit, session),
      name: model === null ? 'chat' : `chat ${model}`,
      kind: 'client',
      from: session === NO_SESSION || earlier.length === 0 ? at : Math.max(...earlier),
      to: at,
      attributes: {
        ...pickKnownAttributes({
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': findModelProvider(model, provider),
          'gen_ai.request.model': model,
          'gen_ai.conversation.id': toConversationId(jobId, visit, session),
          'svc.executor': provider,
          'svc.cost.metered': metered === 1,
          'svc.usage.estimated': source === 'estimated' ? true : null,
        }),
        ...toUsageAttributes([row]),
      },
    };
  });
}

export const toConversationId = (jobId: string, visit: number, session: number): string =>
  `${jobId}/${visit}.${session}`;
