import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import { DEFAULT_TRACK_RECORD_SINCE } from '../../../base/time/reportSince.ts';
import type { DecisionReader } from '../../store/queries/decisionReader.ts';
import type { TrackRecord } from '../../../contract/schema/policy/trackRecord.ts';
import { parseBeginning } from '../../../base/time/parseBeginning.ts';
import { Outcomes } from './toDecisionEntry.ts';
import type { PastDeps } from './readJobPast.ts';
import { listMissingProof } from './listMissingProof.ts';
import { type RatedDecision, computeTrackFigures } from './computeTrackFigures.ts';

/** Most records counted, newest first. */
export const MAX_COUNTED = 5_000;
/** Records read at once, with pauses for other work. */
const AT_ONCE = 100;
const MAX_PAUSES = 100;

export interface PresentDecider {
  mode: TrackRecord['mode'];
  provider: string;
  model: string;
  digestVersion: number;
}

interface TrackRecordDeps extends PastDeps {
  reader: DecisionReader;
  now(): number;
  present(): PresentDecider;
}

/** GET /decisions/track-record: from committed rows alone, read in slices. */
export const createTrackRecord = (deps: TrackRecordDeps): Pick<Runner, 'trackRecord'> => ({
  async trackRecord({ since: requestedSince = DEFAULT_TRACK_RECORD_SINCE }) {
    const since = parseBeginning('The track record', requestedSince, deps.now());
    const present = deps.present();
    const outcomes = new Outcomes(deps);
    const groups = new Map<
      string,
      { same: Parameters<typeof computeTrackFigures>[0]; judged: RatedDecision[] }
    >();
    const pauses: TrackRecord['pauses'] = [];
    let ratingCount = 0;
    for (; ratingCount < MAX_COUNTED; await waitForNextTurn()) {
      const labelledDecisions = deps.reader.page(
        { since },
        { limit: AT_ONCE, offset: ratingCount },
      );
      for (const one of labelledDecisions) {
        const { decision } = one;
        const outcome = outcomes.findOutcome(one);
        const { site, provider, model, digest_version: digestVersion } = decision;
        const current =
          provider === present.provider &&
          model === present.model &&
          (digestVersion === null || digestVersion === present.digestVersion);
        // Questions that could not be asked count with those that were.
        const version = digestVersion ?? (current ? present.digestVersion : null);
        const name = JSON.stringify([site, provider, model, version]);
        const group = groups.get(name) ?? {
          same: { site, provider, model, digestVersion: version, current },
          judged: [],
        };
        group.judged.push({ decision, outcome });
        groups.set(name, group);
        if (site === 'overseer' && decision.flag !== null && pauses.length < MAX_PAUSES)
          pauses.push({
            jobId: decision.job_id,
            key: decision.key,
            at: toIsoTime(decision.at),
            phase: decision.phase,
            flag: decision.flag,
            paused: decision.pauses === 1,
            outcome,
          });
      }
      ratingCount += labelledDecisions.length;
      if (labelledDecisions.length < AT_ONCE) break;
    }
    const figures = [...groups.values()]
      .map(({ same, judged }) => computeTrackFigures(same, judged))
      .sort((a, b) => rankTrackRecord(a) - rankTrackRecord(b));
    const { mode, provider, model, digestVersion } = present;
    const mine = figures.find(({ site, current }) => current && site === 'overseer');
    const nothing = { site: 'overseer', provider, model, digestVersion, current: true } as const;
    return {
      since: toIsoTime(since),
      mode,
      provider,
      model,
      missing: mine?.missing ?? listMissingProof(computeTrackFigures(nothing, [])),
      ratedBy: figures,
      pauses,
      of: deps.reader.total({ since }),
      counted: ratingCount,
    };
  },
});

/** The current one first, and the rating of phases before other places. */
const rankTrackRecord = ({ current, site }: TrackRecord['ratedBy'][number]): number =>
  (current ? 0 : 2) + (site === 'overseer' ? 0 : 1);
