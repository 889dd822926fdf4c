import { jobChart, type JobContext } from '../../machines/index.ts';
import type { ActorState } from '../durable/chart.ts';
import type { Kernel } from '../durable/contract.ts';
import { leafPaths } from '../durable/step.ts';
import type { ActorRow } from '../durable/writer.ts';
import { SvcError } from '../lib/errors.ts';
import type { OpenStore } from '../store/openStore.ts';
import type { Blobs } from './blobs.ts';
import type { Runner } from './facade.ts';
import { artefactsOf, insightsOf } from './jobRows.ts';
import { chartNodeOf } from './machineView.ts';
import { asSvcErrors, seqOrThrow, svcErrorOf } from './refusals.ts';
import type { Slots } from './slots.ts';
import type { Streams } from './streams.ts';

type Questions = Pick<
  Runner,
  'insights' | 'removeInsight' | 'artefact' | 'why' | 'whatIf' | 'machine' | 'journal' | 'lastFrame' | 'subscribe'
>;

export interface QuestionsDeps {
  kernel: Kernel;
  store: Pick<OpenStore, 'durable' | 'rows'>;
  streams: Streams;
  slots: Slots;
  blobs: Blobs;
  /** Both throw SvcError `not-found`. */
  stateOf(jobId: string): ActorState<JobContext>;
  rowOf(jobId: string): ActorRow;
}

/** What can be asked of one job, and what it has put out. */
export const createQuestions = ({ kernel, store, streams, slots, blobs, stateOf, rowOf }: QuestionsDeps): Questions => {
  const asked = <T>(jobId: string, ask: () => T): T => {
    stateOf(jobId);
    try {
      return ask();
    } catch (error) {
      throw svcErrorOf(jobId, error);
    }
  };
  return {
    insights: (id) => asked(id, () => insightsOf(store.rows, id)),
    async removeInsight(id, insightId) {
      if (!insightsOf(store.rows, stateOf(id).id).some((insight) => insight.id === insightId)) {
        throw new SvcError('not-found', `${id} has no insight ${insightId}.`);
      }
      const result = await asSvcErrors(id, () => kernel.send(id, { type: 'insight.remove', id: insightId }));
      seqOrThrow(id, 'removing an insight', result);
    },
    artefact(id, artefactId) {
      stateOf(id);
      const found = artefactsOf(store.rows, id).find((artefact) => artefact.id === artefactId);
      if (!found) throw new SvcError('not-found', `${id} has no artefact ${artefactId}.`);
      const { mime, size, title, sha256 } = found;
      return { path: blobs.path(sha256), mime, size, title, sha256 };
    },
    why: (id) => asked(id, () => withSlots(kernel.why(id), slots)),
    whatIf: (id, event) => asked(id, () => kernel.whatIf(id, event)),
    machine: (id) =>
      asked(id, () => {
        const accepts = kernel.why(id).waysOut.filter(({ open }) => open !== false);
        return {
          chart: jobChart.id,
          version: jobChart.version,
          definition: chartNodeOf(jobChart.machine),
          state: leafPaths(stateOf(id).value),
          accepts: [...new Set(accepts.map(({ event }) => event))],
        };
      }),
    journal: (id, after, limit) => asked(id, () => store.durable.journal(id, after, limit)),
    lastFrame: (id) => {
      stateOf(id);
      return rowOf(id).frameSeq;
    },
    subscribe(id, after, sink) {
      stateOf(id);
      return streams.subscribe(id, after, sink);
    },
  };
};

/** A queued job waits for a slot; who has the slots is the runner's knowledge, not the chart's. */
const withSlots = (why: ReturnType<Kernel['why']>, slots: Slots): ReturnType<Kernel['why']> => {
  if (!why.state.includes('queued')) return why;
  const { used, limit } = slots.use();
  return { ...why, waitsFor: [...why.waitsFor, `${used} of ${limit} slots are in use (runner.maxConcurrentJobs)`] };
};
