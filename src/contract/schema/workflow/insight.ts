import Type from 'typebox';
import {
  DEFAULT_INSIGHTS,
  INSIGHTS_MEMORY,
  MAX_INSIGHTS,
} from '../../../shared/agents/insights.ts';
import { MAX_SEARCH_CHARS } from '../../../shared/limits/jobLimits.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { Insight } from '../job/job.ts';
import { Limit, Offset } from '../kit/page.ts';
import { closed } from '../kit/closed.ts';

const Name = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** An insight of any job, as lists show it. */
export const ListedInsight = describeMembers(
  Type.Object({
    ...Insight.properties,
    jobId: Type.String(),
    repo: Type.Union([Type.String(), Type.Null()]),
    workflow: Type.String(),
  }),
  {
    jobId: 'The job whose agent has written it.',
    repo: 'The repository of that job; null = it has none.',
    workflow: 'The workflow of that job.',
  },
);
export type ListedInsight = Type.Static<typeof ListedInsight>;

/** Reply of GET /insights. */
export const ListedInsights = Type.Array(ListedInsight);

export const InsightsQuery = describeMembers(
  Type.Object(
    {
      q: Type.Optional(Type.String({ maxLength: MAX_SEARCH_CHARS })),
      job: Type.Optional(Name(128)),
      repo: Type.Optional(Name(256)),
      category: Type.Optional(Name(64)),
      limit: Type.Optional(Limit(MAX_INSIGHTS, DEFAULT_INSIGHTS)),
      offset: Type.Optional(Offset),
    },
    closed,
  ),
  {
    q: 'Only those in whose text every word of it occurs. Case does not count for a to z.',
    job: 'Only insights of this job.',
    repo: 'Only insights of jobs in this repository.',
    category: 'Only insights in this category, such as contract-drift.',
  },
);
export type InsightsQuery = Type.Static<typeof InsightsQuery>;

/** Body of POST /jobs/:jobId/insights/:insightId/promote. */
export const PromoteInsightBody = describeMembers(
  Type.Object(
    {
      path: Type.Optional(
        Type.String({ maxLength: 256, pattern: '^memory/[A-Za-z0-9._/-]+\\.md$' }),
      ),
      text: Type.Optional(Name(4_000)),
    },
    closed,
  ),
  {
    path: `File of the team's memory to which it is added; default ${INSIGHTS_MEMORY}.`,
    text: 'What is to be in the memory; default: the text of the insight.',
  },
);
export type PromoteInsightBody = Type.Static<typeof PromoteInsightBody>;
