import {
  type AssistantModelMessage,
  jsonSchema,
  type ModelMessage,
  streamText,
  type TextStreamPart,
  ToolChoiceViolationError,
  type ToolModelMessage,
  type ToolSet,
} from 'ai';
import type { Usage } from '../../contract/schema/session/usage.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import {
  estimateLine,
  estimateMissing,
  type TokenCounts,
} from '../../base/spending/parseTokenCounts.ts';
import { NO_USAGE } from '../../base/spending/usageSum.ts';
import { readAtPath } from '../../base/json/untrusted.ts';
import type { AgentTool, ToolCall } from './agentTool.ts';
import { toStreamError } from './createModelFetch.ts';
import type { OpenModel } from './languageModel.ts';
import { OWN_ERROR } from './ownMembers.ts';
import { readStreamedModel, mergeStreamedUsage } from './mergeStreamedUsage.ts';

export type ReplyStop = 'end' | 'calls' | 'cut' | 'pause' | 'refusal';

export interface Reply {
  /** Its text and its calls; null if it gave neither. */
  message: AssistantModelMessage | null;
  calls: readonly ToolCall[];
  refused: ToolModelMessage[];
  stop: ReplyStop;
  /** null where the endpoint does not tell. */
  usage: Usage | null;
}

export interface Question {
  open: OpenModel;
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly Pick<AgentTool, 'name' | 'description' | 'inputSchema'>[];
  /**
   * `none`: the tools are declared but none may be called; a model that calls one nevertheless has
   * ended its answer. Default `auto`.
   */
  toolChoice?: 'auto' | 'none';
  /**
   * Index of a message up to which every later request of the conversation is the same, so that an
   * endpoint with cache marks keeps it beside the whole. Default: none.
   */
  settledUpTo?: number;
  maxOutputTokens: number;
  signal: AbortSignal;
  /** Called with every part of the answer that arrives, comments and pings included. */
  onBytes?(): void;
  /** Called for each part on arrival; the next one is read after it resolves. */
  onPart(part: {
    kind: 'text' | 'thinking' | 'end of text' | 'other';
    text: string;
  }): Promise<void>;
  /**
   * Called at most once with what the endpoint reported of this request, also if it broke off;
   * missing or wrong counts are estimated. `why`: a line for people about a whole answer without
   * good counts, else null. The answer is over when it has resolved.
   */
  onUsage(report: UsageReport, why: string | null): Promise<unknown>;
  /** Called with the headers of a good answer, their names in lower case; default: not. */
  onHeaders?(headers: Readonly<Record<string, string>>): void;
}

// The SDK would otherwise write to the runner's console.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const toSdkToolSet = (tools: Question['tools']): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      { description, inputSchema: jsonSchema({ ...inputSchema }) },
    ]),
  );

/**
 * Marks the last message and the settled one as points up to which the endpoint may cache. With the
 * mark of the system prompt these are three of the four that Anthropic allows.
 */
const withCacheNotes = (
  messages: readonly ModelMessage[],
  { cached }: OpenModel,
  settledUpTo: number | undefined,
): ModelMessage[] =>
  cached === null
    ? [...messages]
    : messages.map((message, index) =>
        index === messages.length - 1 || index === settledUpTo
          ? { ...message, providerOptions: cached }
          : message,
      );

const classifyReplyStop = (reason: string, raw: string | undefined, calls: number): ReplyStop => {
  if (raw === 'pause_turn') return 'pause';
  if (reason === 'content-filter') return 'refusal';
  if (reason === 'length') return 'cut';
  return calls > 0 ? 'calls' : 'end';
};

interface AnswerCounts {
  asked: number;
  answered: number;
  isComplete: boolean;
}

/** The usage report of an answer, and a line about it for people; null = none needed. */
function buildAnswerUsageReport(
  counts: TokenCounts | null,
  { asked, answered, isComplete }: AnswerCounts,
  model: string | null,
): [UsageReport, string | null] {
  const { usage, isEstimated } = estimateMissing(counts?.usage ?? NO_USAGE, { asked, answered });
  const problem = counts?.problem ?? null;
  const why = problem !== null || (isEstimated && isComplete) ? estimateLine(problem) : null;
  const report: UsageReport = { type: 'usage', usage, model };
  return [isEstimated ? { ...report, source: 'estimated' } : report, why];
}

const countPartChars = (part: TextStreamPart<ToolSet>): number =>
  part.type === 'text-delta' || part.type === 'reasoning-delta'
    ? part.text.length
    : part.type === 'tool-input-delta'
      ? part.delta.length
      : 0;

/**
 * Asks the model once and reads its whole answer. Tools are offered, not carried out. Rejects with
 * the cause, in the middle of an answer too; what arrived before it has gone to `onPart`.
 */
export async function askModel({
  open,
  system,
  messages,
  tools,
  toolChoice = 'auto',
  settledUpTo,
  maxOutputTokens,
  signal,
  onBytes,
  onPart,
  onUsage,
  onHeaders,
}: Question): Promise<Reply> {
  const result = streamText({
    model: open.model({ isStreamed: true, ...(onBytes ? { onBytes } : {}) }),
    system:
      open.cached === null
        ? system
        : { role: 'system', content: system, providerOptions: open.cached },
    messages: withCacheNotes(messages, open, settledUpTo),
    tools: toSdkToolSet(tools),
    toolChoice,
    maxOutputTokens,
    providerOptions: open.options,
    abortSignal: signal,
    // The session counts, delays and reports retries.
    maxRetries: 0,
    includeRawChunks: true,
    onError: () => {},
  });
  const calls: ToolCall[] = [];
  let stop: ReplyStop = 'end';
  let counts: TokenCounts | null = null;
  let usage: Usage | null = null;
  let modelName: string | null = null;
  /** Characters of the answer. */
  let answerCount = 0;
  let isComplete = false;
  try {
    for await (const part of result.fullStream) {
      if (part.type === 'raw') {
        counts = mergeStreamedUsage(counts, part.rawValue);
        modelName ??= readStreamedModel(part.rawValue);
        const error = readAtPath(part.rawValue, OWN_ERROR);
        if (error !== undefined) throw toStreamError(error);
      }
      if (part.type === 'error') {
        if (ToolChoiceViolationError.isInstance(part.error)) continue;
        throw part.error;
      }
      if (part.type === 'abort')
        throw new DOMException('The request was interrupted.', 'AbortError');
      answerCount += countPartChars(part);
      if (part.type === 'text-delta') await onPart({ kind: 'text', text: part.text });
      else if (part.type === 'reasoning-delta') await onPart({ kind: 'thinking', text: part.text });
      else if (part.type === 'text-end' || part.type === 'reasoning-end')
        await onPart({ kind: 'end of text', text: '' });
      else if (part.type === 'tool-input-delta') await onPart({ kind: 'other', text: '' });
      else if (part.type === 'tool-call' && part.invalid !== true) {
        calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
      } else if (part.type === 'finish-step') {
        onHeaders?.(part.response.headers ?? {});
        // The stream ended without a finish reason.
        if (part.finishReason === 'other' && part.rawFinishReason === undefined)
          throw new Error('The answer ended early.');
        stop = classifyReplyStop(part.finishReason, part.rawFinishReason, calls.length);
        isComplete = true;
      }
    }
  } finally {
    if (counts !== null || answerCount > 0 || isComplete) {
      const hasInput = counts !== null && counts.usage.inputTokens > 0;
      const requestChars = hasInput ? 0 : JSON.stringify({ system, messages, tools }).length;
      const [report, why] = buildAnswerUsageReport(
        counts,
        { asked: requestChars, answered: answerCount, isComplete },
        modelName,
      );
      if (report.source !== 'estimated') usage = report.usage;
      await onUsage(report, why);
    }
  }
  const { messages: responseMessages } = await result.response;
  const message = responseMessages.find(({ role }) => role === 'assistant');
  return {
    message: message?.role === 'assistant' && message.content.length > 0 ? message : null,
    calls,
    refused: responseMessages.filter((one) => one.role === 'tool'),
    stop,
    usage,
  };
}
