import {
  jobChart,
  proposalChart,
  quotaChart,
  reviewChart,
  scheduleChart,
  subRunsChart,
} from '../../../machines/index.ts';
import type { DurableChart } from '../../kernel/chart.ts';

export const CHARTS: readonly DurableChart[] = [
  jobChart,
  subRunsChart,
  reviewChart,
  quotaChart,
  proposalChart,
  scheduleChart,
];
