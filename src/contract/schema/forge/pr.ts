import Type from 'typebox';
import { describe } from '../kit/schemaKit.ts';

export const PrState = Type.Union([
  Type.Literal('open'),
  Type.Literal('merged'),
  Type.Literal('closed'),
]);
export type PrState = Type.Static<typeof PrState>;

/** A pull request that a job owns. Unique by (forge, repo, number). */
export const PrMapping = Type.Object({
  prId: Type.String({
    description: '`<forge>:<repo>#<number>`; the id that tools and work items use.',
  }),
  forge: Type.String({ description: 'Id of the forge.' }),
  repo: Type.String({ description: 'Repository at the forge.' }),
  number: Type.Integer({ minimum: 1, description: 'Number in the repository.' }),
  title: Type.String({ description: 'Its title.' }),
  head: Type.String({ description: 'Its branch.' }),
  base: Type.String({ description: 'The branch that it is to be merged into.' }),
  url: Type.String({ description: 'Its page at the forge.' }),
  state: describe(PrState, 'Whether it is open, merged or closed.'),
  workItem: Type.Union([Type.String(), Type.Null()], {
    description: 'The work item that it was opened for; null = none.',
  }),
  mergedAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When it was merged (ISO 8601); null = it is not.',
  }),
  problem: Type.Optional(
    Type.String({
      description:
        'Why nothing can come from it now: it can no longer be seen, a branch of it is gone, or its forge refuses svc. Left out = nothing is known.',
    }),
  ),
});
export type PrMapping = Type.Static<typeof PrMapping>;

/** Kinds of what happens at a forge or tracker and may wake a job. */
export const ProviderEventKind = Type.Union([
  Type.Literal('approved'),
  Type.Literal('changes_requested'),
  Type.Literal('commented'),
  /** A comment at a place in the code. */
  Type.Literal('review_thread'),
  /** CI: one of the checks of the newest commit has failed. */
  Type.Literal('check_failed'),
  /**
   * CI: all checks of the newest commit are green. Reported each time they become green, only to
   * jobs whose await_event names this kind.
   */
  Type.Literal('check_passed'),
  /** It cannot be merged any more without further work. */
  Type.Literal('conflict'),
  Type.Literal('merged'),
  /** Without a merge. */
  Type.Literal('closed'),
  /** It was closed without a merge, and is open again. */
  Type.Literal('reopened'),
]);
export type ProviderEventKind = Type.Static<typeof ProviderEventKind>;

/**
 * One thing that happened at a forge or tracker and that is reported to a job: something about one
 * of its pull requests, or a comment on its ticket. The same form for every provider.
 */
export const ProviderEvent = Type.Object({
  kind: ProviderEventKind,
  forge: Type.String(),
  /** Or the project of a tracker (`ABC` of `ABC-12`); empty if it has none. */
  repo: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  /** Of a ticket: `<tracker>:<reference>`. */
  prId: Type.String(),
  /** As people are shown it. */
  author: Type.String(),
  /** Text of the comment or review, untrusted; empty if it has none. */
  text: Type.String(),
  /** For people. */
  url: Type.String(),
  /** Id of the event at the forge; a second delivery with the same one does nothing. */
  externalId: Type.String(),
  /** Epoch ms at the forge. */
  happenedAt: Type.Integer(),
});
export type ProviderEvent = Type.Static<typeof ProviderEvent>;
