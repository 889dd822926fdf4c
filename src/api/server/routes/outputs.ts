import { DEFAULT_INSIGHTS } from '../../../shared/agents/insights.ts';
import {
  InsightsQuery,
  ListedInsights,
  PromoteInsightBody,
} from '../../../contract/schema/workflow/insight.ts';
import { MessageList } from '../../../contract/schema/session/message.ts';
import { DEFAULT_MESSAGES, MessagesQuery } from '../../../contract/schema/api/queries.ts';
import { InsightList } from '../../../contract/schema/api/replies.ts';
import { ProposalSummary } from '../../../contract/schema/workflow/proposal.ts';
import { readCaller } from '../gates/access.ts';
import { tellPage } from '../replies/pages.ts';
import { defineJsonRoute, defineRawRoute } from '../route.ts';
import { sendArtefact } from '../replies/sendArtefact.ts';

export const outputRoutes = [
  defineRawRoute({
    name: 'artefact',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/artifacts/:artifactId/content',
    summary: 'Downloads an artefact, with its media type.',
    mime: '*/*',
    refusals: ['not-found'],
    handle: ({ params, ctx }, { runner }) =>
      sendArtefact(ctx, runner.artefact(params.jobId, params.artifactId)),
  }),
  defineJsonRoute({
    name: 'insights',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/insights',
    summary: 'What the agents of the job have learned.',
    reply: InsightList,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.insights(params.jobId),
  }),
  defineJsonRoute({
    name: 'messages',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/messages',
    summary:
      "The developers' messages, each with its receipt: queued, offered, delivered, acknowledged, superseded or expired. The first page has the newest ones, oldest first.",
    query: MessagesQuery,
    reply: MessageList,
    refusals: ['not-found'],
    handle({ params, query, ctx }, { runner }) {
      const { limit = DEFAULT_MESSAGES, offset = 0 } = query;
      const { messages, total } = runner.messages(params.jobId, query);
      tellPage(ctx, { limit, offset, total });
      return messages;
    },
  }),
  defineJsonRoute({
    name: 'removeInsight',
    access: 'write',
    method: 'DELETE',
    path: '/jobs/:jobId/insights/:insightId',
    summary: 'Removes an insight.',
    reply: null,
    refusals: ['not-found', 'stopping', 'store-failed'],
    handle: ({ params }, { runner }) => runner.removeInsight(params.jobId, params.insightId),
  }),
  defineJsonRoute({
    name: 'searchInsights',
    access: 'read',
    method: 'GET',
    path: '/insights',
    summary:
      'What the agents of all jobs have learned, newest first. X-Total-Count is their number; Link names the previous and next page.',
    query: InsightsQuery,
    reply: ListedInsights,
    refusals: [],
    async handle({ query, ctx }, { runner }) {
      const { limit = DEFAULT_INSIGHTS, offset = 0 } = query;
      const { insights, total } = await runner.searchInsights(query);
      tellPage(ctx, { limit, offset, total });
      return insights;
    },
  }),
  defineJsonRoute({
    name: 'promoteInsight',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/insights/:insightId/promote',
    summary:
      "Proposes to add an insight to the team's memory. The reply is a proposal, which a person approves and applies.",
    body: PromoteInsightBody,
    reply: ProposalSummary,
    refusals: [
      ...(['bad-argument', 'unauthorized', 'not-found', 'not-possible-now'] as const),
      ...(['too-large', 'stopping', 'store-failed'] as const),
    ],
    handle: ({ params, body, ctx }, { runner }) =>
      runner.promoteInsight(params.jobId, params.insightId, body, readCaller(ctx)),
  }),
];
