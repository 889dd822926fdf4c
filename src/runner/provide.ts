import type {
  JobPorts,
  ProposalPorts,
  QuotaPorts,
  ReviewPorts,
  SubRunsPorts,
} from '../../machines/index.ts';
import type { Port } from '../durable/port.ts';
import { type DispatchSubRunDeps, dispatchSubRun } from '../campaign/subRunDispatch.ts';
import { wakeJobs, type WakeJobsDeps } from '../job/quota/wakeJobs.ts';
import { type JudgeDeps, judgePhase } from '../overseer/phaseJudge.ts';
import { type ApplyProposalDeps, applyProposal } from '../proposals/applyProposal.ts';
import { type CheckProposalDeps, checkProposal } from '../proposals/checkProposal.ts';
import { offerMessage } from '../session/messageOffer.ts';
import { openSession } from '../session/sessionOpen.ts';
import type { OpenSessionDeps } from '../session/openSessionDeps.ts';
import { type PreparePhaseDeps, preparePhase } from '../session/phasePrepare.ts';
import { stopSession } from '../session/sessionStop.ts';
import { type StopSubRunDeps, stopSubRun } from '../campaign/subRunStop.ts';
import { type SendReviewDeps, sendReview } from '../news/reviews/sendReview.ts';
import { type WriteForgeDeps, writeForge } from '../news/forgeWrite.ts';

/**
 * Every port of every chart with the params that its chart gives it: a port left out does not
 * compile.
 */
type PortsOf<Inputs> = { [Name in keyof Inputs]: Port<Inputs[Name]> };

/** Joins the effects that the charts name with their implementations. The only place that does. */
export const providePorts = (
  deps: OpenSessionDeps &
    WakeJobsDeps &
    PreparePhaseDeps &
    WriteForgePortDeps &
    SubRunPortsDeps & {
      judging: JudgeDeps;
      proposing: CheckProposalDeps & ApplyProposalDeps;
    },
) =>
  ({
    'phase.prepare': preparePhase(deps),
    'session.open': openSession(deps),
    'phase.judge': judgePhase(deps.judging),
    'session.stop': stopSession(deps.sessions),
    'message.offer': offerMessage(deps.sessions),
    'forge.write': writeForge(deps.writes),
    'review.send': sendReview(deps.reviews),
    'proposal.check': checkProposal(deps.proposing),
    'proposal.apply': applyProposal(deps.proposing),
    'quota.wake': wakeJobs(deps),
    'subRun.dispatch': dispatchSubRun(deps.subRuns),
    'subRun.stop': stopSubRun(deps.subRuns),
  }) satisfies PortsOf<JobPorts & SubRunsPorts & ReviewPorts & QuotaPorts & ProposalPorts>;

interface SubRunPortsDeps {
  subRuns: DispatchSubRunDeps & StopSubRunDeps;
}

interface WriteForgePortDeps {
  writes: WriteForgeDeps;
  reviews: SendReviewDeps;
}
