import {
  DecisionEntry,
  DecisionList,
  DecisionReplay,
  DecisionsQuery,
  DEFAULT_DECISIONS,
  LabelDecisionBody,
  ReplayDecisionBody,
} from '../../../contract/schema/policy/decisionEntry.ts';
import { TrackRecord, TrackRecordQuery } from '../../../contract/schema/policy/trackRecord.ts';
import { readCaller } from '../gates/access.ts';
import { tellPage } from '../replies/pages.ts';
import { defineJsonRoute } from '../route.ts';

/** What the decision layer has answered, and what people make of it. */
export const decisionRoutes = [
  defineJsonRoute({
    name: 'decisions',
    access: 'read',
    method: 'GET',
    path: '/decisions',
    summary:
      'Records of the decision layer, newest first: ratings as received and as counted, skips and outcomes. X-Total-Count is their number; Link names the previous and next page.',
    query: DecisionsQuery,
    reply: DecisionList,
    refusals: ['bad-argument'],
    handle({ query, ctx }, { runner }) {
      const { limit = DEFAULT_DECISIONS, offset = 0 } = query;
      const { decisions, total } = runner.decisions({ ...query, limit, offset });
      tellPage(ctx, { limit, offset, total });
      return decisions;
    },
  }),
  defineJsonRoute({
    name: 'trackRecord',
    access: 'read',
    method: 'GET',
    path: '/decisions/track-record',
    summary:
      'How right ratings have been, by provider and model: precision of flags with its bound, error of percentages, time, skips, and what was or would have been paused.',
    query: TrackRecordQuery,
    reply: TrackRecord,
    refusals: ['bad-argument'],
    handle: ({ query }, { runner }) => runner.trackRecord(query),
  }),
  defineJsonRoute({
    name: 'labelDecision',
    access: 'write',
    method: 'POST',
    path: '/decisions/label',
    summary:
      'Labels the work of a rated phase as good or bad, with a note. Replaces the previous label; null removes it. For people: agents cannot call it.',
    body: LabelDecisionBody,
    reply: DecisionEntry,
    refusals: ['not-found'],
    handle: ({ body, ctx }, { runner }) => runner.labelDecision(body, readCaller(ctx)),
  }),
  defineJsonRoute({
    name: 'replayDecision',
    // With `ask` it uses the key of the provider.
    access: 'write',
    method: 'POST',
    path: '/decisions/replay',
    summary:
      'Makes the digest of a rating again from stored rows and compares its hash; with `ask` also asks the provider of now. Changes nothing.',
    body: ReplayDecisionBody,
    reply: DecisionReplay,
    refusals: ['not-found', 'not-possible-now'],
    handle: ({ body }, { runner }) => runner.replayDecision(body),
  }),
];
