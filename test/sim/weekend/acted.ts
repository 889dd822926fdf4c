import { capsSet } from './plan.ts';
import { findKind } from './agents/index.ts';
import type { Weekend } from './weekend.ts';

/** What a cap, a rule or an account has done, for a person. */
interface Acted {
  what: string;
  times: number;
  /** Epoch ms; null = it has done nothing. */
  first: number | null;
  /** The job that it met first. */
  job: string;
}

interface Deed {
  at: number;
  job: string;
}

const summariseDeeds = (what: string, deeds: readonly Deed[]): Acted => {
  const [first] = deeds.toSorted((a, b) => a.at - b.at);
  return { what, times: deeds.length, first: first?.at ?? null, job: first?.job ?? '' };
};

const findJobName = ({ jobs }: Weekend, jobId: string): string =>
  [...jobs].find(([, id]) => id === jobId)?.[0] ?? 'a sub-run';

const nameDeeds = (weekend: Weekend, deeds: readonly { at: number; jobId: string }[]): Deed[] =>
  deeds.map(({ at, jobId }) => ({ at, job: findJobName(weekend, jobId) }));

/** Jobs that each cap has stopped, or kept from beginning. */
function capsActed(weekend: Weekend): Acted[] {
  const { plan, jobs, record } = weekend;
  return capsSet(plan).map((cap) => {
    const isByCap = ({ exceeded }: { exceeded: { scope: string; metric: string } | null }) =>
      exceeded !== null && `${exceeded.scope}.${exceeded.metric}` === cap;
    return summariseDeeds(cap, [
      ...nameDeeds(weekend, record.stops.filter(isByCap)),
      ...record.refusals
        .filter(isByCap)
        .map(({ at, name }) => ({ at, job: jobs.has(name) ? name : 'a resume' })),
    ]);
  });
}

/** Warnings of each rule, and jobs that it has parked. */
function rulesActed(weekend: Weekend): Acted[] {
  const { plan, jobs, record } = weekend;
  return plan.jobs.flatMap((job) => {
    const { does, sessionRule, jobRule } = findKind(job);
    const isOwn = ({ jobId }: { jobId: string }): boolean => jobId === jobs.get(job.name);
    const own = record.warnings.filter(isOwn);
    if (sessionRule) {
      const warned = own.filter(({ text }) => sessionRule.says.test(text));
      return [
        summariseDeeds(`${does}: warned at loop ${sessionRule.loop}`, nameDeeds(weekend, warned)),
      ];
    }
    if (!jobRule) return [];
    const parked = record.stops.filter((stop) => isOwn(stop) && stop.circle !== null);
    return [
      summariseDeeds(`${does}: warned at loop ${jobRule.warn}`, nameDeeds(weekend, own)),
      summariseDeeds(`${does}: parked at loop ${jobRule.park}`, nameDeeds(weekend, parked)),
    ];
  });
}

/** Limits that were met, and states of pools that were entered. */
const limitsActed = ({ plan, endpoint, record }: Weekend): Acted[] => [
  ...plan.limits.map(({ account, kind, window, after }) =>
    summariseDeeds(
      `${account} is ${kind === 'billing' ? 'without money' : kind}${window === null ? '' : ` (${window})`}`,
      endpoint.met.filter((met) => met.after === after).map(({ from }) => ({ at: from, job: '' })),
    ),
  ),
  ...[...record.pools].map(([state, times]) => ({
    what: `a pool is ${state}`,
    times,
    first: null,
    job: '',
  })),
];

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const timeText = (at: number): string =>
  `${DAYS[new Date(at).getUTCDay()]} ${new Date(at).toISOString().slice(11, 16)}`;

const formatActed = ({ what, times, first, job }: Acted): string =>
  [
    `  ${what}`.padEnd(36),
    times === 0 ? '   never' : `${times} ×`.padStart(8),
    first === null ? '' : `   first ${timeText(first)}`,
    job === '' ? '' : `  ${job}`,
  ]
    .join('')
    .trimEnd();

/** What has acted, and how often: caps, rules about repetition, limits and pools. */
export const actedText = (weekend: Weekend): string =>
  [
    'Caps that have stopped a job, or kept one from beginning',
    ...capsActed(weekend).map(formatActed),
    '',
    'Rules about repetition',
    ...rulesActed(weekend).map(formatActed),
    '',
    'Limits that were met, and pools',
    ...limitsActed(weekend).map(formatActed),
  ].join('\n');
