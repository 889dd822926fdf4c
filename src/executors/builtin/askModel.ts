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
import type { Usage } from '../../contract/session/session.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import {
  estimateLine,
  estimateMissing,
  type TokenCounts,
} from '../../shared/spending/parseTokenCounts.ts';
import { NO_USAGE } from '../../shared/spending/usageSum.ts';
import { readAtPath } from '../../shared/json/untrusted.ts';
import type { AgentTool, ToolCall } from './agentTool.ts';
import { toStreamError } from './createModelFetch.ts';
import type { OpenModel } from './languageModel.ts';
import { OWN_ERROR } from './ownMembers.ts';
import { readStreamedModel, mergeStreamedUsage } from './mergeStreamedUsage.ts';

/** Why the model stopped. `cut` = at its longest answer. */
export type ReplyStop = 'end' | 'calls' | 'cut' | 'pause' | 'refusal';

export interface Reply {
  /** Its text and its calls; null if it gave neither. */
  message: AssistantModelMessage | null;
  /** Calls that can be carried out. */
  calls: readonly ToolCall[];
  /** Answers to calls that cannot, such as one of a tool that does not exist. */
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
   * `none`: the tools are declared and none may be called; a model that calls one nevertheless has
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
  /** Called for each part as it comes; the next one is read when it has resolved. */
  onPart(part: {
    kind: 'text' | 'thinking' | 'end of text' | 'other';
    text: string;
  }): Promise<void>;
  /**
   * Called at most once: what the endpoint has reported of this request, also where it broke off;
   * with an estimate of what it has not reported, or wrongly. `why`: a line for people about a whole
   * answer without good counts, else null. The answer is over when it has resolved.
   */
  onUsage(report: UsageReport, why: string | null): Promise<unknown>;
  /** Called with the headers of a good answer, their names in lower case; default: not. */
  onHeaders?(headers: Readonly<Record<string, string>>): void;
}

// It would otherwise write to the runner's console.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const toSdkToolSet = (tools: Question['tools']): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      { description, inputSchema: jsonSchema({ ...inputSchema }) },
    ]),
  );

/**
 * The messages, with the note that the endpoint may keep what it has read up to here at the last one
 * and at the settled one. With that of the system prompt these are three of the four that
 * Anthropic's allows.
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

interface Answered {
  /** Characters of the question, where its tokens are not known, and of the answer. */
  asked: number;
  answered: number;
  /** It has come to its end. */
  isWhole: boolean;
}

/** The report of an answer, and a line about it for people; null = it needs none. */
function buildAnswerUsageReport(
  counts: TokenCounts | null,
  { asked, answered, isWhole }: Answered,
  model: string | null,
): [UsageReport, string | null] {
  const { usage, isEstimated } = estimateMissing(counts?.usage ?? NO_USAGE, { asked, answered });
  const problem = counts?.problem ?? null;
  const why = problem !== null || (isEstimated && isWhole) ? estimateLine(problem) : null;
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
 * Asks the model once and reads its answer to the end. Tools are offered, not carried out. Rejects
 * with the cause, in the middle of the answer too; what arrived until then has gone to `onPart`.
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
    // What an answer that breaks off has reported of its tokens is in no other part.
    includeRawChunks: true,
    onError: () => {},
  });
  const calls: ToolCall[] = [];
  let stop: ReplyStop = 'end';
  let counts: TokenCounts | null = null;
  let usage: Usage | null = null;
  let modelName: string | null = null;
  /** Characters of the answer. */
  let answered = 0;
  let isWhole = false;
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
      answered += countPartChars(part);
      if (part.type === 'text-delta') await onPart({ kind: 'text', text: part.text });
      else if (part.type === 'reasoning-delta') await onPart({ kind: 'thinking', text: part.text });
      else if (part.type === 'text-end' || part.type === 'reasoning-end')
        await onPart({ kind: 'end of text', text: '' });
      else if (part.type === 'tool-input-delta') await onPart({ kind: 'other', text: '' });
      else if (part.type === 'tool-call' && part.invalid !== true) {
        calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
      } else if (part.type === 'finish-step') {
        onHeaders?.(part.response.headers ?? {});
        // The stream ended without the word that ends an answer.
        if (part.finishReason === 'other' && part.rawFinishReason === undefined)
          throw new Error('The answer ended early.');
        stop = classifyReplyStop(part.finishReason, part.rawFinishReason, calls.length);
        isWhole = true;
      }
    }
  } finally {
    if (counts !== null || answered > 0 || isWhole) {
      const hasInput = counts !== null && counts.usage.inputTokens > 0;
      const asked = hasInput ? 0 : JSON.stringify({ system, messages, tools }).length;
      const [report, why] = buildAnswerUsageReport(counts, { asked, answered, isWhole }, modelName);
      if (report.source !== 'estimated') usage = report.usage;
      await onUsage(report, why);
    }
  }
  const { messages: made } = await result.response;
  const message = made.find(({ role }) => role === 'assistant');
  return {
    message: message?.role === 'assistant' && message.content.length > 0 ? message : null,
    calls,
    refused: made.filter((one) => one.role === 'tool'),
    stop,
    usage,
  };
}
