import Type from 'typebox';
import { describeMembers } from '../kit/describeMembers.ts';
import { nullable } from '../kit/nullable.ts';

/** Who wrote what a look-up found. `outside`: a person who is no member, or it is not known. */
export const Trust = Type.Enum(['own', 'outside']);
export type EvidenceTrust = Type.Static<typeof Trust>;

/** One look-up: a call of a read tool and what it found. */
export const Evidence = describeMembers(
  Type.Object({
    id: Type.String(),
    turn: Type.Integer(),
    tool: Type.String(),
    target: Type.String(),
    ok: Type.Boolean(),
    ms: Type.Integer(),
    repo: nullable(Type.String()),
    commit: nullable(Type.String()),
    path: nullable(Type.String()),
    fromLine: nullable(Type.Integer()),
    toLine: nullable(Type.Integer()),
    sha256: Type.String(),
    trust: Trust,
    cited: Type.Boolean(),
    chars: Type.Integer(),
    round: Type.Integer(),
    answerAt: Type.Integer(),
    thinkingAt: Type.Integer(),
  }),
  {
    id: '`E1`, `E2`, … within the conversation.',
    tool: 'Name of the read tool.',
    target: 'What was looked up, in a few words.',
    ok: 'False: the look-up failed; its text says why.',
    sha256: 'Of the text.',
    cited: 'The findings cite it.',
    chars: 'Length of the text.',
    round: 'Round of look-ups within the turn, from 1; 0 = not known.',
    answerAt: "Characters of the turn's `answer` that had come before the look-up.",
    thinkingAt: "The same of the turn's `thinking`.",
  },
);
export type Evidence = Type.Static<typeof Evidence>;

/** Where a cited place is. `new`: the findings say that it does not exist yet. */
export const CitationVerdict = Type.Enum(['seen', 'exists', 'moved', 'missing', 'new']);
export type CitationVerdict = Type.Static<typeof CitationVerdict>;

export const Citation = describeMembers(
  Type.Object({
    ref: Type.String(),
    verdict: CitationVerdict,
    repo: nullable(Type.String()),
    path: Type.String(),
    line: nullable(Type.Integer()),
    toLine: nullable(Type.Integer()),
    text: nullable(Type.String()),
    evidence: nullable(Type.String()),
  }),
  {
    ref: 'As the findings write it: `src/a.ts:12-20`.',
    verdict:
      'seen: a look-up of this conversation has shown it. exists: it exists at the pinned commit. moved: the newest commit has changed these lines. missing: it does not exist. new: the findings say that it does not exist yet.',
    repo: 'Slug of the repository that has it; null where none of the conversation does.',
    path: 'From the root of the repository.',
    text: 'The first of the lines; null without one.',
    evidence: 'The look-up that has shown it.',
  },
);
export type Citation = Type.Static<typeof Citation>;

/** The commit that a conversation looks at, and how far its branch has gone since. */
export const Pinned = describeMembers(
  Type.Object({
    repo: Type.String(),
    ref: Type.String(),
    commit: Type.String(),
    behind: nullable(Type.Integer()),
    changed: Type.Array(Type.String()),
  }),
  {
    ref: 'The branch.',
    commit: 'Its newest commit at the first look.',
    behind: 'How many commits the branch has gained since; null = not known.',
    changed: 'Cited files that these commits have changed.',
  },
);
export type Pinned = Type.Static<typeof Pinned>;
