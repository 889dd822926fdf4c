export const WORKS = ['steps', 'wake', 'burst', 'memory', 'recovery'] as const;
export type Work = (typeof WORKS)[number];

export interface PeerFigure {
  name: string;
  work: Work;
  title: string;
  unit: string;
}

export const FIGURES: readonly PeerFigure[] = [
  { name: 'steps', work: 'steps', title: 'Durable steps', unit: '/s' },
  { name: 'steps.state', work: 'steps', title: 'The same with 4 KB of state', unit: '/s' },
  { name: 'wake.p50', work: 'wake', title: 'One event, median', unit: 'ms' },
  { name: 'wake.p99', work: 'wake', title: 'One event, 99th percentile', unit: 'ms' },
  { name: 'burst', work: 'burst', title: '1,000 events together', unit: 'ms' },
  {
    name: 'memory.worker',
    work: 'memory',
    title: 'Memory of the worker, for each of 10,000 parked',
    unit: 'KiB',
  },
  {
    name: 'memory.server',
    work: 'memory',
    title: 'Memory of its server, for each of 10,000 parked',
    unit: 'KiB',
  },
  {
    name: 'recovery',
    work: 'recovery',
    title: '`kill -9` with 10,000 parked, until an event continues one',
    unit: 'ms',
  },
];

/** Ratios svc / peer that svc must reach, and those that it aims at. */
export interface Target {
  figure: string;
  peer: string;
  better: 'more' | 'less';
  must: number;
  aim: number;
}

export const TARGETS: readonly Target[] = [
  { figure: 'steps', peer: 'bullmq', better: 'more', must: 1.3, aim: 1.5 },
  { figure: 'steps', peer: 'restate', better: 'more', must: 6, aim: 8 },
  { figure: 'burst', peer: 'bullmq', better: 'less', must: 1.3, aim: 1 },
  { figure: 'wake.p50', peer: 'bullmq', better: 'less', must: 0.85, aim: 0.75 },
];
