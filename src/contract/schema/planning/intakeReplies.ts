import Type from 'typebox';
import { MAX_CITATION_REFS } from '../../../base/limits/intakeLimits.ts';
import { Citation } from './evidence.ts';
import { closed } from '../kit/schemaKit.ts';

/** Query of GET /intake/sessions/:sessionId/stream. */
export const IntakeStreamQuery = Type.Object(
  {
    turn: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'From the beginning of this turn on. Default: of the turn that runs. Last-Event-ID wins.',
      }),
    ),
  },
  closed,
);
export type IntakeStreamQuery = Type.Static<typeof IntakeStreamQuery>;

export const StoppedTurn = Type.Object({
  stopped: Type.Boolean({ description: 'False: nothing was running.' }),
});
export type StoppedTurn = Type.Static<typeof StoppedTurn>;

export const CitationsBody = Type.Object(
  {
    refs: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        maxItems: MAX_CITATION_REFS,
        description: 'Places such as `src/a.ts:12-20`. Default: those of the findings.',
      }),
    ),
  },
  closed,
);
export type CitationsBody = Type.Static<typeof CitationsBody>;

export const CitationsReply = Type.Object({ citations: Type.Array(Citation) });
export type CitationsReply = Type.Static<typeof CitationsReply>;

/** Query of GET /intake/sessions/:sessionId/file. */
export const PinnedLinesQuery = Type.Object(
  {
    repo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Default: the repository of the conversation.',
      }),
    ),
    path: Type.String({ minLength: 1, maxLength: 500 }),
    from: Type.Optional(Type.Integer({ minimum: 1, description: 'First line. Default 1.' })),
    to: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Last line. Default: as many as are shown.' }),
    ),
  },
  closed,
);
export type PinnedLinesQuery = Type.Static<typeof PinnedLinesQuery>;

/** Lines of a file at the pinned commit. */
export const PinnedLines = Type.Object({
  repo: Type.String(),
  commit: Type.String(),
  path: Type.String(),
  fromLine: Type.Integer(),
  toLine: Type.Integer(),
  lines: Type.Integer({ description: 'Of the whole file.' }),
  text: Type.String(),
});
export type PinnedLines = Type.Static<typeof PinnedLines>;

export const EvidenceText = Type.Object({ text: Type.String() });
export type EvidenceText = Type.Static<typeof EvidenceText>;
