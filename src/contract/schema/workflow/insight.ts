import Type from 'typebox';
import { DEFAULT_INSIGHTS, INSIGHTS_MEMORY, MAX_INSIGHTS } from '../../../base/agents/insights.ts';
import { MAX_SEARCH_CHARS } from '../../../base/limits/jobLimits.ts';
import { describe, closed } from '../kit/schemaKit.ts';
import { Insight } from '../job/job.ts';
import { Limit, Offset } from '../kit/page.ts';

const Name = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** An insight of any job, as lists show it. */
export const ListedInsight = Type.Object({
  ...Insight.properties,
  jobId: Type.String({ description: 'The job whose agent has written it.' }),
  repo: Type.Union([Type.String(), Type.Null()], {
    description: 'The repository of that job; null = it has none.',
  }),
  workflow: Type.String({ description: 'The workflow of that job.' }),
});
export type ListedInsight = Type.Static<typeof ListedInsight>;

/** Reply of GET /insights. */
export const ListedInsights = Type.Array(ListedInsight);

export const InsightsQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: MAX_SEARCH_CHARS,
        description:
          'Only those in whose text every word of it occurs. Case does not count for a to z.',
      }),
    ),
    job: Type.Optional(describe(Name(128), 'Only insights of this job.')),
    repo: Type.Optional(describe(Name(256), 'Only insights of jobs in this repository.')),
    category: Type.Optional(
      describe(Name(64), 'Only insights in this category, such as contract-drift.'),
    ),
    limit: Type.Optional(Limit(MAX_INSIGHTS, DEFAULT_INSIGHTS)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type InsightsQuery = Type.Static<typeof InsightsQuery>;

/** Body of POST /jobs/:jobId/insights/:insightId/promote. */
export const PromoteInsightBody = Type.Object(
  {
    path: Type.Optional(
      Type.String({
        maxLength: 256,
        pattern: '^memory/[A-Za-z0-9._/-]+\\.md$',
        description: `File of the team's memory to which it is added; default ${INSIGHTS_MEMORY}.`,
      }),
    ),
    text: Type.Optional(
      describe(Name(4_000), 'What is to be in the memory; default: the text of the insight.'),
    ),
  },
  closed,
);
export type PromoteInsightBody = Type.Static<typeof PromoteInsightBody>;
