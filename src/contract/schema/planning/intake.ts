import Type from 'typebox';
import {
  MAX_CHAT_MESSAGE_CHARS,
  MAX_FINDINGS_CHARS,
  MAX_SEED_ENTRIES,
} from '../../../base/limits/intakeLimits.ts';
import { Evidence, Citation, Pinned } from './evidence.ts';
import { IsoTime, nullable, closed } from '../kit/schemaKit.ts';
import { ProposedRun } from './proposedRun.ts';
import { Usage } from '../session/usage.ts';

/** Id of a conversation, chosen by the client. */
export const SessionId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  description: 'Key of the conversation, chosen by the client: letters, digits, `_`, `.` and `-`.',
});

export const ChatRole = Type.Enum(['user', 'assistant']);
export type ChatRole = Type.Static<typeof ChatRole>;

const SeedEntry = Type.Object({ role: ChatRole, content: Type.String() }, closed);
export const Seed = Type.Array(SeedEntry, { maxItems: MAX_SEED_ENTRIES });
export const ShortText = Type.String({ minLength: 1, maxLength: 200 });

/** What the dashboard knows that helps the model fill in a run. */
export const IntakeContext = Type.Object(
  {
    recentRepos: Type.Optional(Type.Array(ShortText, { maxItems: 100 })),
    recentReviewers: Type.Optional(Type.Array(ShortText, { maxItems: 100 })),
    availableWorkflows: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: ShortText,
            name: ShortText,
            workflowPath: Type.String({ maxLength: 256 }),
            description: Type.String({ maxLength: 2_000 }),
          },
          closed,
        ),
        { maxItems: 100 },
      ),
    ),
    userLocale: Type.Optional(Type.String({ maxLength: 40 })),
  },
  closed,
);
export type IntakeContext = Type.Static<typeof IntakeContext>;

/** Body of POST /intake/stream. */
export const IntakeBody = Type.Object(
  {
    sessionId: SessionId,
    message: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CHAT_MESSAGE_CHARS,
        description: 'What the developer says now. Required unless `messages` is given.',
      }),
    ),
    messages: Type.Optional({
      ...Seed,
      description:
        'The whole conversation in place of `message`: the last entry of the user is the message, the rest seeds a conversation that the runner does not have.',
    }),
    transcript: Type.Optional({
      ...Seed,
      description:
        "The client's copy of earlier turns: seeds a conversation that the runner does not have. What the runner has stored counts.",
    }),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Model for this conversation. Default: the alias `planning`.',
      }),
    ),
    provider: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Executor for this conversation. Default: the one of the alias `planning`.',
      }),
    ),
    context: Type.Optional(IntakeContext),
    queue: Type.Optional(
      Type.Boolean({
        description:
          'While a turn is running: wait for its end instead of a refusal with 409. Default false.',
      }),
    ),
  },
  closed,
);
export type IntakeBody = Type.Static<typeof IntakeBody>;

export const ReadinessState = Type.Enum(['investigating', 'ready', 'no-run-needed']);
export type ReadinessState = Type.Static<typeof ReadinessState>;

/** The `<readiness>` block that ends a turn. */
export const Readiness = Type.Object({
  state: ReadinessState,
  openQuestions: Type.Array(Type.String()),
  note: Type.String(),
});
export type Readiness = Type.Static<typeof Readiness>;

/** Why a turn is over. `failed`: `error` says why. `lost`: the runner ended in the middle of it. */
export const TurnState = Type.Enum(['queued', 'running', 'done', 'interrupted', 'failed', 'lost']);
export type TurnState = Type.Static<typeof TurnState>;

/** Cost of model calls. `usd` null: a price is not known, so the sum is not either. */
export const Cost = Type.Object({ usd: nullable(Type.Number()), priced: Type.Boolean() });

export const ChatTurn = Type.Object({
  n: Type.Integer({ description: 'From 1.' }),
  at: IsoTime,
  endedAt: nullable(IsoTime),
  state: TurnState,
  message: Type.String({ description: 'What the developer said.' }),
  answer: Type.String({
    description: 'What the model said, with its hidden blocks; as far as it came.',
  }),
  thinking: Type.String(),
  error: nullable(Type.String(), 'For people, with `failed`.'),
  reason: nullable(Type.String(), 'Why, in one word, such as `quota`.'),
  rounds: Type.Integer(),
  usage: nullable(Usage),
  provider: Type.String(),
  model: nullable(Type.String()),
  folded: Type.Boolean({ description: 'The model is shown a summary in its place.' }),
});
export type ChatTurn = Type.Static<typeof ChatTurn>;

export const ModelChoice = Type.Object({
  provider: nullable(Type.String()),
  model: nullable(Type.String()),
});
export type ModelChoice = Type.Static<typeof ModelChoice>;

export const IntakeCounters = Type.Object({
  turns: Type.Integer(),
  lookups: Type.Integer(),
  usage: Usage,
  contextTokens: nullable(Type.Integer(), 'What the last request filled of the window.'),
  cost: Cost,
});
export type IntakeCounters = Type.Static<typeof IntakeCounters>;

const summaryFields = {
  sessionId: SessionId,
  title: Type.String(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  repo: nullable(Type.String()),
  readiness: nullable(ReadinessState),
  hasFindings: Type.Boolean(),
  running: Type.Boolean(),
  counters: IntakeCounters,
  jobIds: Type.Array(Type.String()),
};
export const InvestigationSummary = Type.Object(summaryFields);
export type InvestigationSummary = Type.Static<typeof InvestigationSummary>;

/** The write-up. `by`: who changed it last. */
export const FindingsCard = Type.Object({
  text: Type.String({ maxLength: MAX_FINDINGS_CHARS, description: 'Markdown.' }),
  sha256: Type.String(),
  by: Type.Enum(['model', 'person']),
  proposed: nullable(
    Type.String(),
    'What the model would replace an edit of a person with; null = nothing. A person takes it or leaves it.',
  ),
  cut: Type.Boolean({
    description: `What the model wrote last, the text or the proposed one, was longer than ${MAX_FINDINGS_CHARS} characters; the rest was dropped.`,
  }),
});
export type FindingsCard = Type.Static<typeof FindingsCard>;

export const Investigation = Type.Object({
  ...summaryFields,
  findings: nullable(FindingsCard),
  status: nullable(Readiness, 'The last readiness block.'),
  run: nullable(ProposedRun, 'The last run that the model proposed.'),
  model: ModelChoice,
  pinned: nullable(Pinned),
  turns: Type.Array(ChatTurn),
  evidence: Type.Array(Evidence),
  citations: Type.Array(Citation),
  outside: Type.Array(Type.String(), {
    description: 'What people outside of the team have written and the model has read, by target.',
  }),
  items: Type.Array(Type.Unknown(), {
    description: 'The transcript as the dashboard has stored it.',
  }),
  resume: nullable(
    Type.String(),
    "With which the executor's own conversation continues; null = it cannot.",
  ),
  lastFrame: nullable(
    Type.String(),
    'Id of the newest frame: `Last-Event-ID` to watch what comes after it.',
  ),
});
export type Investigation = Type.Static<typeof Investigation>;

export const InvestigationList = Type.Object({
  sessions: Type.Array(InvestigationSummary),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
});
export type InvestigationList = Type.Static<typeof InvestigationList>;

/** Query of GET /intake/sessions. */
export const InvestigationsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 5.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Default 0.' })),
  },
  closed,
);
export type InvestigationsQuery = Type.Static<typeof InvestigationsQuery>;
