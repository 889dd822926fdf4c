import { approvalProblems, type JobContext, type PersonEvent, publicStatus } from '../../machines/index.ts';
import type { ActorState } from '../durable/chart.ts';
import type { Kernel } from '../durable/contract.ts';
import { leafPaths } from '../durable/step.ts';
import type { Ids } from '../lib/ids.ts';
import type { CommandReply, ResumeBody } from '../schema/bodies.ts';
import type { RequestKey, Runner } from './facade.ts';
import { asSvcErrors, seqOrThrow } from './refusals.ts';
import type { Requests } from './requests.ts';

type Commands = Pick<Runner, 'resume' | 'cancel' | 'pause' | 'message' | 'rerun'>;

interface CommandDeps {
  kernel: Kernel;
  requests: Requests;
  ids: Ids;
  stateOf(jobId: string): ActorState<JobContext>;
}

/** What exactly is wrong with a command, where the chart can say it with values. */
const causesOf = ({ value, context }: ActorState<JobContext>, event: PersonEvent): string[] =>
  event.type === 'job.resume' && leafPaths(value).includes('parked.approval') ? approvalProblems(context, event) : [];

/** The commands of people on one job: each is one event of the chart, answered after its commit. */
export const createCommands = ({ kernel, requests, ids, stateOf }: CommandDeps): Commands => {
  const replyOf = (jobId: string, seq: number): CommandReply => {
    const state = stateOf(jobId);
    return { jobId, status: publicStatus(state), phase: state.context.phase, state: leafPaths(state.value), seq };
  };

  const send = (jobId: string, command: string, event: PersonEvent, request: RequestKey | undefined): Promise<CommandReply> => {
    stateOf(jobId);
    return requests.once(
      request,
      () => replyOf(jobId, stateOf(jobId).seq),
      (scope) =>
        asSvcErrors(jobId, async () => {
          const { sends } = await kernel.submit({ sends: [{ to: jobId, event }], rows: scope.claim(jobId), allOrNothing: true });
          return replyOf(
            jobId,
            seqOrThrow(jobId, command, sends[0], () => causesOf(stateOf(jobId), event)),
          );
        }),
    );
  };

  return {
    resume: (id, { eventKey, shown }: ResumeBody, request) =>
      send(id, 'resume', { type: 'job.resume', eventKey, ...(shown === undefined ? {} : { shown }) }, request),
    cancel: (id, reason, request) => send(id, 'cancel', { type: 'job.cancel', reason }, request),
    pause: (id, request) => send(id, 'pause', { type: 'job.pause' }, request),
    rerun: (id, phase, request) => send(id, `a rerun of ${phase}`, { type: 'job.rerun', phase }, request),
    async message(id, text, request) {
      const messageId = ids.next();
      const reply = await send(id, 'message', { type: 'job.message', id: messageId, text, author: 'developer' }, request);
      return { ...reply, receipt: { id: messageId, state: 'queued' } };
    },
  };
};
