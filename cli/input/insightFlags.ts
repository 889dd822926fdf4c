import { Args, Flags } from '@oclif/core';
import type { InsightsQuery } from '../../src/contract/schema/workflow/insight.ts';

export const insightArg = Args.string({ description: 'ID of the insight.' });

export const insightFlags = {
  job: Flags.string({ char: 'j', description: 'Only insights of this job.', helpValue: '<id>' }),
  repo: Flags.string({
    char: 'r',
    description: 'Only insights of jobs in this repository.',
    helpValue: '<slug>',
  }),
  category: Flags.string({
    description: 'Only insights in this category, such as contract-drift.',
    helpValue: '<category>',
  }),
  limit: Flags.integer({
    char: 'n',
    description: 'Maximum number of insights to list.',
    default: 50,
    min: 1,
    max: 200,
    helpValue: '<n>',
  }),
  offset: Flags.integer({
    description: 'Number of insights to skip.',
    default: 0,
    min: 0,
    helpValue: '<n>',
  }),
};

interface InsightFlags {
  job?: string | undefined;
  repo?: string | undefined;
  category?: string | undefined;
  limit: number;
  offset: number;
}

export const buildInsightsQuery = ({
  job,
  repo,
  category,
  limit,
  offset,
}: InsightFlags): InsightsQuery => ({
  ...(job === undefined ? {} : { job }),
  ...(repo === undefined ? {} : { repo }),
  ...(category === undefined ? {} : { category }),
  limit,
  ...(offset === 0 ? {} : { offset }),
});
