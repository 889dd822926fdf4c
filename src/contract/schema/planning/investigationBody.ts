import Type from 'typebox';
import { MAX_FINDINGS_CHARS } from '../../../base/limits/intakeLimits.ts';
import { IntakeCounters, Readiness, ReadinessState, Seed, ShortText } from './intake.ts';
import { nullable, closed } from '../kit/schemaKit.ts';

/** Of what GET shows and a client may send back: the runner keeps its own. */
const buildIgnoredMember = () =>
  Type.Optional(Type.Unknown({ description: 'As GET shows it; the runner keeps its own.' }));

const FindingsText = Type.String({ maxLength: MAX_FINDINGS_CHARS, description: 'Markdown.' });
const FindingsBody = Type.Object(
  {
    text: FindingsText,
    replaces: Type.Optional(
      nullable(
        Type.String({
          description: 'sha256 of the text that was edited; another one is a 409.',
        }),
      ),
    ),
    sha256: Type.Optional(
      Type.String({
        description: 'As GET shows it: the text that was edited, where `replaces` is left out.',
      }),
    ),
    by: buildIgnoredMember(),
    proposed: buildIgnoredMember(),
    cut: buildIgnoredMember(),
  },
  closed,
);

/** A turn as GET shows it, of which its two texts are read. */
const TurnBody = Type.Object({ n: Type.Integer(), message: Type.String(), answer: Type.String() });
/** Most turns of a chat that one snapshot has. */
const MAX_SAVED_TURNS = 10_000;

/**
 * Body of PUT /intake/sessions/:sessionId: what the dashboard keeps. What is left out stays; what
 * GET returns can be sent back as it is.
 */
export const InvestigationBody = Type.Object(
  {
    items: Type.Optional(Type.Array(Type.Unknown())),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    readiness: Type.Optional(
      Type.Union([Readiness, ReadinessState, Type.Null()], {
        description: 'The block, or its state alone, which keeps questions and note.',
      }),
    ),
    status: Type.Optional(nullable(Readiness)),
    findings: Type.Optional(Type.Union([FindingsBody, FindingsText, Type.Null()])),
    proposed: Type.Optional(
      Type.Enum(['take', 'leave'], {
        description: "What to do with the model's change of an edited text.",
      }),
    ),
    model: Type.Optional(
      Type.Object({ provider: nullable(ShortText), model: nullable(ShortText) }, closed),
    ),
    counters: Type.Optional(IntakeCounters),
    turns: Type.Optional(
      Type.Union([Seed, Type.Array(TurnBody, { maxItems: MAX_SAVED_TURNS })], {
        description: 'Turns that the runner has not recorded are added, in either form.',
      }),
    ),
    sessionId: buildIgnoredMember(),
    createdAt: buildIgnoredMember(),
    updatedAt: buildIgnoredMember(),
    repo: buildIgnoredMember(),
    hasFindings: buildIgnoredMember(),
    running: buildIgnoredMember(),
    jobIds: buildIgnoredMember(),
    run: buildIgnoredMember(),
    pinned: buildIgnoredMember(),
    evidence: buildIgnoredMember(),
    citations: buildIgnoredMember(),
    outside: buildIgnoredMember(),
    resume: buildIgnoredMember(),
    lastFrame: buildIgnoredMember(),
  },
  closed,
);
export type InvestigationBody = Type.Static<typeof InvestigationBody>;
