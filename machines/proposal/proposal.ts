import { setup } from 'xstate';
import type { ProposalState } from '../../src/base/agents/proposals.ts';
import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import type { ProposalTables } from '../../src/contract/records/proposalTables.ts';
import type { LogFrame } from '../../src/contract/schema/job/frames.ts';
import { createChangeActions, createEffectAction } from '../kit/actions.ts';
import { createEventChangeBuilder, type EffectOf } from '../kit/change.ts';
import type { ProposalPorts } from './ports.ts';
import type { ProposalContext, ProposalEvent, ProposalInput } from './proposalContext.ts';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';

/** Most eventless transitions; the chart has none, so more would be a cycle. */
const MAX_MICROSTEPS = 5;

type Effects = ProposalPorts & Pick<IntrinsicParams, 'row.patch' | 'frame.add'>;
type Effect = EffectOf<Effects>;
type Columns = Partial<Omit<ProposalTables['proposals'], 'id' | 'state' | 'since'>>;

interface Args {
  context: ProposalContext;
  event: ProposalEvent;
}

const guards = {
  isSound: ({ event }: Args) => event.type === 'proposal.checked' && event.problem === null,
  isWhatWasShown: ({ context, event }: Args) =>
    event.type === 'proposal.approve' && event.hash === context.hash,
  isApproved: ({ context }: Args) => context.approved === context.hash,
};

const patchProposalState = (
  { proposalId }: ProposalContext,
  at: number,
  state: ProposalState,
  set: Columns = {},
): Effect => ({
  type: 'row.patch',
  params: { table: 'proposals', key: { id: proposalId }, set: { ...set, state, since: at } },
});

const logToProposer = (
  { proposalId, jobId }: ProposalContext,
  at: number,
  line: string,
): Effect[] =>
  jobId === null
    ? []
    : [
        {
          type: 'frame.add',
          params: {
            actor: jobId,
            kind: 'log',
            data: {
              at: new Date(at).toISOString(),
              phase: 'proposal',
              visit: 0,
              from: 'runner',
              tag: 'proposal',
              line: `proposal ${proposalId} ${line}`,
            } satisfies LogFrame,
          },
        },
      ];

const formatDecision = (
  { author, by }: Pick<Extract<ProposalEvent, { type: 'proposal.approve' }>, 'author' | 'by'>,
  at: number,
  reason: string | null,
): string => JSON.stringify({ at: new Date(at).toISOString(), author, by, reason });

const onProposalEvent = createEventChangeBuilder<ProposalContext, ProposalEvent, Effect>();

const changes = {
  check: ({ proposalId }: ProposalContext) => ({
    effects: [{ type: 'proposal.check' as const, params: { proposalId } }],
  }),
  open: onProposalEvent(['proposal.checked'], (context, { at }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'open', { problem: null }),
      ...logToProposer(context, at, 'waits for a person to look at it'),
    ],
  })),
  keepDraft: onProposalEvent(['proposal.checked'], (context, { at, problem }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'draft', { problem }),
      ...logToProposer(context, at, `cannot be approved: ${problem}`),
    ],
  })),
  failCheck: onProposalEvent(['effect.givenUp'], (context, { at, error }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'draft', { problem: `It could not be checked: ${error}` }),
    ],
  })),
  approve: onProposalEvent(['proposal.approve'], (context, event) => ({
    context: { approved: event.hash },
    effects: [
      patchProposalState(context, event.at, 'approved', {
        approval: formatDecision(event, event.at, null),
        allowed: JSON.stringify(event.allowed),
        problem: null,
      }),
      ...logToProposer(context, event.at, `was approved by ${event.author}`),
    ],
  })),
  reject: onProposalEvent(['proposal.reject'], (context, event) => ({
    context: {},
    effects: [
      patchProposalState(context, event.at, 'rejected', {
        rejection: formatDecision(event, event.at, event.reason),
        problem: null,
      }),
      ...logToProposer(
        context,
        event.at,
        `was rejected by ${event.author}${event.reason === null ? '' : `: ${event.reason}`}`,
      ),
    ],
  })),
  apply: onProposalEvent(['proposal.apply'], (context, { at }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'applying', { problem: null }),
      { type: 'proposal.apply', params: { proposalId: context.proposalId, at } },
    ],
  })),
  finish: onProposalEvent(['proposal.applied'], (context, { at, link }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'applied', { link, problem: null }),
      ...logToProposer(context, at, link === null ? 'was applied' : `was applied as ${link}`),
    ],
  })),
  finishByTeam: onProposalEvent(['proposal.appliedByTeam'], (context, { at, author }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'applied', { problem: null }),
      ...logToProposer(context, at, `was applied to the overlay of the team by ${author}`),
    ],
  })),
  conflict: onProposalEvent(['proposal.conflicted'], (context, { at, problem }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'conflicted', { problem }),
      ...logToProposer(context, at, `was not applied: ${problem}`),
    ],
  })),
  failApply: onProposalEvent(['effect.givenUp'], (context, { at, error }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'conflicted', {
        problem: `It could not be applied: ${error}`,
      }),
      ...logToProposer(context, at, `was not applied: ${error}`),
    ],
  })),
  supersede: onProposalEvent(['proposal.supersede'], (context, { at, successor }) => ({
    context: {},
    effects: [
      patchProposalState(context, at, 'superseded', { superseded_by: successor, problem: null }),
      ...logToProposer(context, at, `was replaced by ${successor}`),
    ],
  })),
};

const proposalSetup = setup({
  types: {
    context: {} as ProposalContext,
    events: {} as ProposalEvent,
    input: {} as ProposalInput,
    meta: {} as { waits: string },
  },
  actions: {
    'proposal.check': createEffectAction<Effects['proposal.check']>(),
    'proposal.apply': createEffectAction<Effects['proposal.apply']>(),
    'row.patch': createEffectAction<Effects['row.patch']>(),
    'frame.add': createEffectAction<Effects['frame.add']>(),
  },
  guards,
}).extend({ actions: createChangeActions<ProposalContext, ProposalEvent, Effect>()(changes) });

const reject = { target: 'rejected', actions: 'reject' } as const;
const appliedByTeam = { target: 'applied', actions: 'finishByTeam' } as const;
const supersede = { target: 'superseded', actions: 'supersede' } as const;

/**
 * One change of workflows, agents, skills or memory that an agent or a person proposes. Its row
 * holds the texts; nothing of them is live before `applied`.
 *
 * **draft** - in it while the proposed state is linted and played; on entry `proposal.check` is
 * asked for. One that is found unsound stays here. Leaves: `proposal.checked` without a problem →
 * open; a person who rejects it → rejected; a later proposal for the same files → superseded.
 *
 * **open** - in it while a person has not decided. Leaves: an approval of exactly its content →
 * approved; a rejection → rejected; a later proposal → superseded; the team has applied it at its
 * control plane → applied, as from approved and conflicted.
 *
 * **approved** - in it until a person has it applied. A later proposal does not move it: a person
 * has decided. Leaves: apply → applying; a rejection → rejected.
 *
 * **applying** - in it while it is written to its layer; on the way in `proposal.apply` is asked
 * for. Leaves: `proposal.applied` → applied; `proposal.conflicted`, or the writing given up →
 * conflicted.
 *
 * **conflicted** - in it while what has changed since keeps it from being applied; nothing of it
 * was written. Leaves: apply → applying, which looks again; a rejection → rejected; a later
 * proposal → superseded.
 *
 * **applied** - its files are in the layer, or its pull request is open. Over.
 *
 * **rejected** - a person does not want it. Over.
 *
 * **superseded** - a later proposal has taken its place. Over.
 */
export const proposalMachine = makeOnFirstUse(() =>
  proposalSetup.createMachine({
    id: 'proposal',
    context: ({ input }) => ({ ...input, approved: null }),
    initial: 'draft',
    states: {
      draft: {
        meta: { waits: 'for its checks, or for a sound version of it' },
        entry: 'check',
        on: {
          'proposal.checked': [
            { guard: 'isSound', target: 'open', actions: 'open' },
            { actions: 'keepDraft' },
          ],
          'effect.givenUp': { actions: 'failCheck' },
          'proposal.reject': reject,
          'proposal.supersede': supersede,
        },
      },
      open: {
        meta: { waits: 'for a person who approves or rejects it' },
        on: {
          'proposal.approve': { guard: 'isWhatWasShown', target: 'approved', actions: 'approve' },
          'proposal.appliedByTeam': appliedByTeam,
          'proposal.reject': reject,
          'proposal.supersede': supersede,
        },
      },
      approved: {
        meta: { waits: 'for a person who has it applied' },
        on: {
          'proposal.apply': { guard: 'isApproved', target: 'applying', actions: 'apply' },
          'proposal.appliedByTeam': appliedByTeam,
          'proposal.reject': reject,
        },
      },
      applying: {
        meta: { waits: 'until it is written to its layer' },
        on: {
          'proposal.applied': { target: 'applied', actions: 'finish' },
          'proposal.conflicted': { target: 'conflicted', actions: 'conflict' },
          'effect.givenUp': { target: 'conflicted', actions: 'failApply' },
        },
      },
      conflicted: {
        meta: { waits: 'for a person who has it tried again or rejects it' },
        on: {
          'proposal.apply': { guard: 'isApproved', target: 'applying', actions: 'apply' },
          'proposal.appliedByTeam': appliedByTeam,
          'proposal.reject': reject,
          'proposal.supersede': supersede,
        },
      },
      applied: { meta: { waits: 'for nothing: it is applied' } },
      rejected: { meta: { waits: 'for nothing: a person has rejected it' } },
      superseded: { meta: { waits: 'for nothing: a later one has taken its place' } },
    },
    options: { maxIterations: MAX_MICROSTEPS },
  }),
);
