import {
  jobChart,
  proposalChart,
  quotaChart,
  reviewChart,
  subRunsChart,
} from '../../../machines/index.ts';
import type { DurableChart } from '../../kernel/chart.ts';

/** The charts whose actors the runner keeps. */
export const CHARTS: readonly DurableChart[] = [
  jobChart,
  subRunsChart,
  reviewChart,
  quotaChart,
  proposalChart,
];
