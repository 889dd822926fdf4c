import { raceDeadline } from '../../base/time/waiting.ts';
import {
  buildCodingPreflight,
  describeGatePrs,
  type Kickoff,
  selectPrsToAsk,
  type SeenPr,
} from '../../../machines/index.ts';
import type { PrNotes } from '../open/openSessionDeps.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Log } from '../../base/system/log/log.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import type { PrMapping, PrState } from '../../contract/schema/forge/pr.ts';
import { runAsCaller } from '../../providers/account/caller.ts';
import type { Forges } from '../../providers/forges.ts';

/** Longest wait for the forge before a session begins, ms. */
const ANSWER_MS = 10_000;

export interface PrNotesDeps {
  forges: Forges;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  job(jobId: string): Job;
}

/** Notes about pull requests for a new session, by their current states on the forge. */
export const createPrNotes = ({ forges, clock, log, job }: PrNotesDeps): PrNotes => {
  const stateNow = async ({ forge: id, repo, number }: PrMapping): Promise<PrState> => {
    const forge = forges.get(id);
    if (!forge) throw new Error(`the forge ${id} is no longer configured`);
    return (await forge.pullRequest(repo, number)).state;
  };
  /** A session does not wait long for a forge: the known state is good enough for a warning. */
  const soon = (pr: PrMapping): Promise<PrState> =>
    raceDeadline(clock, ANSWER_MS, stateNow(pr), () => {
      throw new Error(`no answer within ${ANSWER_MS / 1000} s`);
    });
  const readSeenPr = async (pr: PrMapping): Promise<SeenPr> => {
    const { prId, workItem } = pr;
    // A merge is final, so the forge need not be asked.
    if (pr.state === 'merged') return { prId, workItem, state: 'merged', asked: true };
    try {
      return { prId, workItem, state: await soon(pr), asked: true };
    } catch (err) {
      log.warn({ prId, err }, 'the state of a pull request could not be read');
      return { prId, workItem, state: pr.state, asked: false };
    }
  };

  return async (jobId, { phase, session, prompt }) => {
    const { workItems, currentWorkItem, prMappings } = job(jobId);
    const kickoff: Kickoff = {
      status: phase.status,
      session,
      prompt,
      items: workItems,
      currentItem: currentWorkItem,
    };
    const prsToAsk = selectPrsToAsk(kickoff, prMappings);
    const prs = await runAsCaller({ jobId, phase: phase.name }, () =>
      Promise.all(prsToAsk.map(readSeenPr)),
    );
    return {
      preflight: buildCodingPreflight(kickoff, prs),
      gateStates: describeGatePrs(kickoff, prs),
    };
  };
};
