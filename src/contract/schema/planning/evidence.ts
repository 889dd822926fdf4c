import Type from 'typebox';
import { describe, nullable } from '../kit/schemaKit.ts';

/** Who wrote what a look-up found. `outside`: a person who is not a member, or it is not known. */
export const Trust = Type.Enum(['own', 'outside']);
export type EvidenceTrust = Type.Static<typeof Trust>;

/** One look-up: a call of a read tool and what it found. */
export const Evidence = Type.Object({
  id: Type.String({ description: '`E1`, `E2`, … within the conversation.' }),
  turn: Type.Integer(),
  tool: Type.String({ description: 'Name of the read tool.' }),
  target: Type.String({ description: 'What was looked up, in a few words.' }),
  ok: Type.Boolean({ description: 'False: the look-up failed; its text says why.' }),
  ms: Type.Integer(),
  repo: nullable(Type.String()),
  commit: nullable(Type.String()),
  path: nullable(Type.String()),
  fromLine: nullable(Type.Integer()),
  toLine: nullable(Type.Integer()),
  sha256: Type.String({ description: 'Of the text.' }),
  trust: Trust,
  cited: Type.Boolean({ description: 'The findings cite it.' }),
  chars: Type.Integer({ description: 'Length of the text.' }),
  round: Type.Integer({ description: 'Round of look-ups within the turn, from 1; 0 = not known.' }),
  answerAt: Type.Integer({
    description: "Characters of the turn's `answer` that had come before the look-up.",
  }),
  thinkingAt: Type.Integer({ description: "The same of the turn's `thinking`." }),
});
export type Evidence = Type.Static<typeof Evidence>;

/** Where a cited place is. `new`: the findings say that it does not exist yet. */
export const CitationVerdict = Type.Enum(['seen', 'exists', 'moved', 'missing', 'new']);
export type CitationVerdict = Type.Static<typeof CitationVerdict>;

export const Citation = Type.Object({
  ref: Type.String({ description: 'As the findings write it: `src/a.ts:12-20`.' }),
  verdict: describe(
    CitationVerdict,
    'seen: a look-up of this conversation has shown it. exists: it exists at the pinned commit. moved: the newest commit has changed these lines. missing: it does not exist. new: the findings say that it does not exist yet.',
  ),
  repo: nullable(
    Type.String(),
    'Slug of the repository that has it; null where none of the conversation does.',
  ),
  path: Type.String({ description: 'From the root of the repository.' }),
  line: nullable(Type.Integer()),
  toLine: nullable(Type.Integer()),
  text: nullable(Type.String(), 'The first of the lines; null without one.'),
  evidence: nullable(Type.String(), 'The look-up that has shown it.'),
});
export type Citation = Type.Static<typeof Citation>;

/** The commit that a conversation looks at, and how far its branch has gone since. */
export const Pinned = Type.Object({
  repo: Type.String(),
  ref: Type.String({ description: 'The branch.' }),
  commit: Type.String({ description: 'Its newest commit at the first look.' }),
  behind: nullable(
    Type.Integer(),
    'How many commits the branch has gained since; null = not known.',
  ),
  changed: Type.Array(Type.String(), {
    description: 'Cited files that these commits have changed.',
  }),
});
export type Pinned = Type.Static<typeof Pinned>;
