import type {
  JobPorts,
  ProposalPorts,
  QuotaPorts,
  ReviewPorts,
  SchedulePorts,
  SubRunsPorts,
} from '../../../machines/index.ts';
import {
  planSchedule,
  type SchedulePortDeps,
  startScheduledJob,
} from '../../jobs/schedules/schedulePorts.ts';
import type { Port } from '../../kernel/port.ts';
import { type DispatchSubRunDeps, dispatchSubRun } from '../../sessions/subRuns/dispatchSubRun.ts';
import { wakeJobs, type WakeJobsDeps } from '../../policy/quota/wakeJobs.ts';
import { type RatePhaseDeps, ratePhase } from '../../policy/decisions/ratePhase.ts';
import { type ApplyProposalDeps, applyProposal } from '../../jobs/proposals/applyProposal.ts';
import { type CheckProposalDeps, checkProposal } from '../../jobs/proposals/checkProposal.ts';
import { offerMessage, stopSession } from '../../sessions/open/liveSessions.ts';
import { openSession } from '../../sessions/open/openSession.ts';
import type { OpenSessionDeps } from '../../sessions/open/openSessionDeps.ts';
import { type PreparePhaseDeps, preparePhase } from '../../sessions/prepare/preparePhase.ts';
import { type StopSubRunDeps, stopSubRun } from '../../sessions/subRuns/stopSubRun.ts';
import { type SendReviewDeps, sendReview } from '../../forges/reviews/sendReview.ts';
import { type WriteForgeDeps, writeForge } from '../../forges/outbound/writeForge.ts';

/** Every port of every chart with its params; a port left out does not compile. */
type PortsOf<Inputs> = { [Name in keyof Inputs]: Port<Inputs[Name]> };

/** Joins the effects that the charts name with their implementations. The only place that does. */
export const providePorts = (
  deps: OpenSessionDeps &
    WakeJobsDeps &
    PreparePhaseDeps &
    WriteForgePortDeps &
    SubRunPortsDeps & {
      judging: RatePhaseDeps;
      scheduling: SchedulePortDeps;
      proposing: CheckProposalDeps & ApplyProposalDeps;
    },
) =>
  ({
    'phase.prepare': preparePhase(deps),
    'session.open': openSession(deps),
    'phase.judge': ratePhase(deps.judging),
    'session.stop': stopSession(deps.sessions),
    'message.offer': offerMessage(deps.sessions),
    'forge.write': writeForge(deps.writes),
    'review.send': sendReview(deps.reviews),
    'proposal.check': checkProposal(deps.proposing),
    'proposal.apply': applyProposal(deps.proposing),
    'quota.wake': wakeJobs(deps),
    'schedule.plan': planSchedule(deps.scheduling),
    'schedule.start': startScheduledJob(deps.scheduling),
    'subRun.dispatch': dispatchSubRun(deps.subRuns),
    'subRun.stop': stopSubRun(deps.subRuns),
  }) satisfies PortsOf<
    JobPorts & SubRunsPorts & ReviewPorts & QuotaPorts & ProposalPorts & SchedulePorts
  >;

interface SubRunPortsDeps {
  subRuns: DispatchSubRunDeps & StopSubRunDeps;
}

interface WriteForgePortDeps {
  writes: WriteForgeDeps;
  reviews: SendReviewDeps;
}
