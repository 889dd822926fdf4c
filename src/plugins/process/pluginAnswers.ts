import Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { QUOTA_KINDS } from '../../base/agents/quotaKinds.ts';
import { isSessionFault } from '../../base/errors/sessionFaults.ts';
import { escapeHidden } from '../../base/text/escapeHidden.ts';
import { STOP_REASONS, TURN_STOPS } from '../../base/jobs/stopReasons.ts';
import type { SessionEvent, SessionResult } from '../../contract/session/executor.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import {
  MAX_CALL_TOKENS,
  MAX_SESSION_TOKENS,
  parseTokenCounts,
  type TokenCounts,
} from '../../base/spending/parseTokenCounts.ts';
import { isUsed, dropUnwrittenTokens } from '../../base/spending/usageSum.ts';
import { toFields, readTimeAt } from '../../base/json/untrusted.ts';
import {
  ConformanceCase,
  type PluginModel,
  PluginModelList,
} from '../../contract/schema/runner/plugin.ts';
import type { Issue, IssueComment, ReportedComment } from '../../contract/forge/tracker.ts';
import type { HealthAnswer } from '../../contract/runner/plugin.ts';

/** Longest text of an answer, characters. */
const MAX_TEXT_CHARS = 8_192;
/** Longest id of a session or message, characters. */
const MAX_ID_CHARS = 500;

/** Longest name of a model, characters. */
const MAX_MODEL_CHARS = 200;

/** Compiled on first use, to keep the start of the runner fast. */
const compileShapeLazily = <const T extends Type.TSchema>(schema: T) => {
  let validator: Validator | undefined;
  const Check = (value: unknown): value is Type.Static<T> => {
    validator ??= Compile(schema);
    return validator.Check(value);
  };
  return { Check };
};

const TurnStop = Type.Enum(TURN_STOPS);
const eventShape = compileShapeLazily(
  Type.Union([
    Type.Object({
      type: Type.Literal('log'),
      stream: Type.Enum(['stdout', 'stderr', 'control']),
      line: Type.String(),
    }),
    Type.Object({
      type: Type.Literal('usage'),
      // Counts are checked one by one: a wrong one does not end the session.
      usage: Type.Unknown(),
      model: Type.Optional(Type.Union([Type.String({ maxLength: MAX_MODEL_CHARS }), Type.Null()])),
      source: Type.Optional(Type.Enum(['reported', 'estimated'])),
    }),
    Type.Object({ type: Type.Enum(['token', 'thinking']), text: Type.String() }),
    Type.Object({
      type: Type.Literal('tool'),
      at: Type.Enum(['start', 'end']),
      id: Type.String(),
      name: Type.String(),
      ok: Type.Boolean(),
      detail: Type.String(),
    }),
    Type.Object({
      type: Type.Literal('session'),
      id: Type.String({ minLength: 1, maxLength: MAX_ID_CHARS }),
    }),
    Type.Object({
      type: Type.Literal('message'),
      id: Type.String({ maxLength: MAX_ID_CHARS }),
      state: Type.Enum(['delivered', 'acknowledged']),
    }),
    Type.Object({
      type: Type.Literal('turn'),
      stopReason: TurnStop,
      error: Type.Union([Type.String(), Type.Null()]),
    }),
  ]),
);
/** Longest name of a window of a limit, characters. */
const MAX_WINDOW_CHARS = 100;

const resultShape = compileShapeLazily(
  Type.Object({
    stopReason: Type.Enum(STOP_REASONS),
    error: Type.Union([Type.String(), Type.Null()]),
    usage: Type.Unknown(),
    fault: Type.Optional(Type.Unknown()),
    resetsAt: Type.Optional(Type.Unknown()),
    quota: Type.Optional(
      Type.Object({
        kind: Type.Enum(QUOTA_KINDS),
        window: Type.Union([Type.String({ maxLength: MAX_WINDOW_CHARS }), Type.Null()]),
      }),
    ),
  }),
);
const issueType = Type.Object({
  key: Type.String(),
  title: Type.String(),
  body: Type.String(),
  status: Type.String(),
  url: Type.String(),
  labels: Type.Optional(Type.Array(Type.String())),
  links: Type.Optional(Type.Array(Type.String())),
  member: Type.Optional(Type.Boolean()),
});
const commentType = Type.Object({
  id: Type.String(),
  author: Type.String(),
  body: Type.String(),
  at: Type.String(),
  member: Type.Optional(Type.Boolean()),
});
/** Longest name of an account, a key or an id, characters. */
const MAX_NAME_CHARS = 500;
const Name = Type.String({ minLength: 1, maxLength: MAX_NAME_CHARS });
const reportedType = Type.Object({
  ...commentType.properties,
  id: Name,
  author: Name,
  // A URL as a key would be taken for another ticket.
  key: Type.String({ pattern: '^(?![a-z]+://)\\S+$', maxLength: MAX_NAME_CHARS }),
  own: Type.Boolean(),
  authorId: Type.Optional(Name),
  bot: Type.Optional(Type.Boolean()),
  // People follow it, so only http and https are allowed.
  url: Type.Optional(Type.String({ pattern: '^(https?://\\S+)?$', maxLength: 2_000 })),
});
const issueShape = compileShapeLazily(issueType);
const commentShape = compileShapeLazily(commentType);
const reportedShape = compileShapeLazily(Type.Union([reportedType, Type.Null()]));
const keyShape = compileShapeLazily(Type.Union([reportedType.properties.key, Type.Null()]));
const healthShape = compileShapeLazily(Type.Object({ ok: Type.Boolean(), detail: Type.String() }));
const modelShape = compileShapeLazily(PluginModelList);
const caseShape = compileShapeLazily(ConformanceCase);

export interface ReportedCounts {
  type: 'counts';
  counts: TokenCounts;
  report: Pick<UsageReport, 'model' | 'source'>;
}

type PlainEvent = Exclude<SessionEvent, { type: 'usage' }>;

const parsePluginCounts = (usage: unknown, most: number): TokenCounts => {
  const { inputTokens, outputTokens, ...parts } = toFields(usage);
  return parseTokenCounts({ ...parts, inputTokens, outputTokens }, { most });
};

/** The event of a plugin; null if it does not have the required form. */
export const parsePluginEvent = (value: unknown): PlainEvent | ReportedCounts | null => {
  if (!eventShape.Check(value)) return null;
  if (value.type === 'usage') {
    const { usage, type: _, ...report } = value;
    return { type: 'counts', counts: parsePluginCounts(usage, MAX_CALL_TOKENS), report };
  }
  // Only the runner writes to the `control` stream.
  return value.type === 'log' && value.stream === 'control'
    ? { ...value, stream: 'stdout' }
    : value;
};

/** `problem`: which token counts were ignored, for people; null = none. */
export const parseResult = (
  value: unknown,
): { result: SessionResult; problem: string | null } | null => {
  if (!resultShape.Check(value)) return null;
  const { stopReason, error, usage: reportedUsage, fault, quota: limit } = value;
  const resetsAt = readTimeAt(value, 'resetsAt');
  const counts =
    reportedUsage === null || reportedUsage === undefined
      ? null
      : parsePluginCounts(reportedUsage, MAX_SESSION_TOKENS);
  const isGood = counts !== null && (counts.problem === null || isUsed(counts.usage));
  // A fault of a newer contract counts as unknown.
  const cause = stopReason === 'error' && isSessionFault(fault) ? { fault } : {};
  const quota = stopReason === 'quota' ? { resetsAt, ...(limit ? { quota: limit } : {}) } : {};
  const result: SessionResult = {
    stopReason,
    error: error?.slice(0, MAX_TEXT_CHARS) ?? null,
    usage: isGood ? dropUnwrittenTokens(counts.usage) : null,
    ...cause,
    ...quota,
  };
  return { result, problem: counts?.problem ?? null };
};

const escapeLines = (text: string): string => text.split('\n').map(escapeHidden).join('\n');

export const parseHealth = (value: unknown): HealthAnswer | null =>
  healthShape.Check(value)
    ? { ok: value.ok, detail: escapeLines(value.detail.slice(0, MAX_TEXT_CHARS)) }
    : null;

export const parsePluginModels = (value: unknown): PluginModel[] | null =>
  modelShape.Check(value)
    ? value.map(({ id, title }) => ({ id, title: escapeHidden(title) }))
    : null;

/** Drops members that the contract does not name. */
const pickIssueMembers = ({
  key,
  title,
  body,
  status,
  url,
  labels = [],
  links = [],
  member = false,
}: Issue): Issue => ({
  key,
  title,
  body,
  status,
  url,
  labels,
  links,
  member,
});
const pickCommentMembers = ({
  id,
  author,
  body,
  at,
  member = false,
}: IssueComment): IssueComment => ({
  id,
  author,
  body,
  at,
  member,
});

export const parseIssue = (value: unknown): Issue | null =>
  issueShape.Check(value) ? pickIssueMembers(value) : null;
export const parseIssues = (value: unknown): ParsedList<Issue> | null =>
  parseItems(value, parseIssue);
export const parseComment = (value: unknown): IssueComment | null =>
  commentShape.Check(value) ? pickCommentMembers(value) : null;
export const parseComments = (value: unknown): ParsedList<IssueComment> | null =>
  parseItems(value, parseComment);

interface ParsedList<T> {
  items: T[];
  /** Indexes of the invalid items. */
  leftOut: number[];
}

/** null = not a list. */
function parseItems<T>(value: unknown, parse: (one: unknown) => T | null): ParsedList<T> | null {
  if (!Array.isArray(value)) return null;
  const [items, leftOut]: [T[], number[]] = [[], []];
  for (const [index, one] of value.entries()) {
    const item = parse(one);
    if (item === null) leftOut.push(index);
    else items.push(item);
  }
  return { items, leftOut };
}

/** Wrapped in a list, since null is a valid answer. */
export const parseReported = (value: unknown): [ReportedComment | null] | null => {
  // The process also sends null for undefined.
  const answer = value ?? null;
  return reportedShape.Check(answer) ? [answer] : null;
};
export const parseKey = (value: unknown): [string | null] | null => {
  const answer = value ?? null;
  return keyShape.Check(answer) ? [answer] : null;
};

export const parseCase = (value: unknown): ConformanceCase | null => {
  if (!caseShape.Check(value)) return null;
  const { name, promise, outcome, detail } = value;
  return { name, promise, outcome, detail: detail.slice(0, MAX_TEXT_CHARS) };
};
