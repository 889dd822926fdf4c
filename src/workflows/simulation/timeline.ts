import { type JobContext, jobChart, toPublicStatus } from '../../../machines/index.ts';
import type { CommitNotice } from '../../kernel/contract.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';

export interface Moment {
  /** Time since the job was created, ms. */
  at: number;
  event: string;
  by: string;
  /** Dotted path of the resulting state. */
  state: string;
  status: string;
  phase: string;
  visit: number;
  /** Lines of the job's log, with their tags. */
  log: string[];
}

const formatLogFrame = (data: Record<string, unknown>): string => `[${data.tag}] ${data.line}`;

/** The moments of one actor in a commit. `start`: its creation, epoch ms. */
export function toMoments({ steps, frames }: CommitNotice, id: string, start: number): Moment[] {
  const moments = steps
    .filter((step) => step.id === id)
    .map(({ after, journal }): Moment => {
      const { phase, visit } = after.context as JobContext;
      const { type } = journal.event;
      return {
        at: journal.at - start,
        event: type === 'xstate.init' ? 'start' : type,
        by: jobChart.senders[type] ?? 'a developer',
        state: listLeafPaths(after.value).join(' & '),
        status: toPublicStatus(after as Parameters<typeof toPublicStatus>[0]),
        phase,
        visit,
        log: [],
      };
    });
  const log = frames
    .filter(({ actor, kind }) => actor === id && kind === 'log')
    .map(({ data }) => formatLogFrame(data));
  moments.at(-1)?.log.push(...log);
  return moments;
}
