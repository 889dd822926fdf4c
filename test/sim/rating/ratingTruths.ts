/** What a simulation of ratings has seen of one visit. */
export interface RatedVisit {
  job: string;
  visit: number;
  interactive: boolean;
  mode: 'shadow' | 'live';
  /** How often the provider was asked. */
  asks: number;
  /** Restarts of the runner while it was rated. */
  restarts: number;
  /** Times that the chart has taken a rating or a skip. */
  taken: number;
  /** Records of it. */
  rows: number;
  /** Of the record; null = none. */
  goal: number | null;
  flag: string | null;
  /** Goals that the provider has given in a proper answer. */
  answered: readonly number[];
  /** Times that it was parked for its flag. */
  pauses: number;
}

export interface RatedLife {
  visits: readonly RatedVisit[];
  /** Last states of the jobs. */
  ends: readonly string[];
}

type Truth = (visit: RatedVisit) => boolean;

/** What must hold of every visit, whatever the provider does and whenever the runner dies. */
const TRUTHS: Readonly<Record<string, Truth>> = {
  'a visit has one record': ({ rows }) => rows === 1,
  'a rating is taken once': ({ taken }) => taken === 1,
  'the provider is asked once, and once more after a restart': ({ asks, restarts }) =>
    asks <= Math.min(2, 1 + restarts),
  'a rating is what the provider has answered': ({ goal, answered }) =>
    goal === null || answered.includes(goal),
  'a flag comes from a rating': ({ goal, flag }) => flag === null || goal !== null,
  'only a flag pauses': ({ pauses, flag }) => pauses === 0 || flag !== null,
  'only an interactive job is paused, and only in Manage': ({ pauses, interactive, mode }) =>
    pauses === 0 || (interactive && mode === 'live'),
  'a visit is paused at most once': ({ pauses }) => pauses <= 1,
};

export const JUDGING_TRUTHS = [...Object.keys(TRUTHS), 'every job is complete'];

/** Which of them are not true. */
export const listBrokenTruths = ({ visits, ends }: RatedLife): string[] => [
  ...Object.entries(TRUTHS)
    .filter(([, isTrue]) => !visits.every(isTrue))
    .map(([sentence]) => sentence),
  ...(ends.every((end) => end === 'ended.complete') ? [] : ['every job is complete']),
];
