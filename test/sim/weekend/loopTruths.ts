import { findKind } from './agents/index.ts';
import type { JobPlan, Kind } from './agents/kind.ts';
import type { Weekend } from './weekend.ts';

/** The number of loops in the text of a warning. */
const readLoopCount = (text: string): number => Number(/(\d+) times/.exec(text)?.[1]);

/** The jobs of the plan whose agents repeat themselves within a session. */
const sessionLoopers = ({ plan }: Weekend): [JobPlan, NonNullable<Kind['sessionRule']>][] =>
  plan.jobs.flatMap((job) => {
    const { sessionRule } = findKind(job);
    return sessionRule ? [[job, sessionRule]] : [];
  });

const jobLoopers = ({ plan }: Weekend): [JobPlan, NonNullable<Kind['jobRule']>][] =>
  plan.jobs.flatMap((job) => {
    const { jobRule } = findKind(job);
    return jobRule ? [[job, jobRule]] : [];
  });

/** Agents that repeat themselves within a session, and were not warned when they should have been. */
export const notWarned = (weekend: Weekend): string[] =>
  sessionLoopers(weekend).flatMap(([{ name }, { says, loop }]) => {
    const { jobs, record } = weekend;
    const id = jobs.get(name) ?? '';
    const own = record.warnings.filter(({ jobId, text }) => jobId === id && says.test(text));
    if (own.length === 0) return [`${name}: never, in up to ${record.most.get(id) ?? 0} loops`];
    return own
      .filter((warning) => warning.loop !== loop || readLoopCount(warning.text) !== loop)
      .map((warning) => `${name}: "${warning.text}" at loop ${warning.loop} and not at ${loop}`);
  });

/** Agents that repeat themselves within a session, and were not ended by the cap of the session. */
export const notEnded = (weekend: Weekend): string[] =>
  sessionLoopers(weekend)
    .filter(([{ name }]) => {
      const id = weekend.jobs.get(name);
      return !weekend.record.stops.some(
        ({ jobId, exceeded }) => jobId === id && exceeded?.scope === 'session',
      );
    })
    .map(([{ name }]) => name);

/** Jobs that loop, and were not warned, or not parked, at the loops of their rule. */
export const goesRound = (weekend: Weekend): string[] =>
  jobLoopers(weekend).flatMap(([{ name }, { rule, warn, park }]) => {
    const { jobs, record } = weekend;
    const id = jobs.get(name);
    const [parked] = record.stops.filter(({ jobId, circle }) => jobId === id && circle !== null);
    const warned = record.warnings.filter(({ jobId }) => jobId === id).map(({ text }) => text);
    const { circle } = parked ?? {};
    return [
      ...(circle?.rule === rule && circle.times === park
        ? []
        : [`${name}: parked for ${circle?.rule ?? 'nothing'} at loop ${circle?.times ?? 0}`]),
      ...(warned.length > 0 && warned.every((one) => readLoopCount(one) === warn)
        ? []
        : [`${name}: warned at loops ${warned.map(readLoopCount).join(', ') || 'none'}`]),
    ];
  });
