import type { Decisions } from '../../contract/decisions.ts';
import { iso } from '../../domain/isoTime.ts';
import { DEFAULT_TRACK_RECORD_SINCE } from '../../domain/reportSince.ts';
import type { DecisionReader } from '../../durable/sqlite/decisionReader.ts';
import type { TrackRecord } from '../../schema/trackRecord.ts';
import { beginningOf } from '../beginning.ts';
import { Outcomes } from './decisionEntries.ts';
import type { PastDeps } from './jobPast.ts';
import { missingOf } from './missing.ts';
import { type Judged, ratedBy } from './ratedBy.ts';

/** Most records that are counted, the newest. */
export const MAX_COUNTED = 5_000;
/** Records that are read at once; in between the runner does what has come meanwhile. */
const AT_ONCE = 100;
/** Most flags that are listed. */
const MAX_PAUSES = 100;

/** What is configured now. */
export interface PresentDecider {
  /** How phases are rated. */
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

/** Lets the runner do what has come meanwhile. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** GET /decisions/track-record: from committed rows alone, read in slices. */
export const createTrackRecord = (deps: TrackRecordDeps): Pick<Decisions, 'trackRecord'> => ({
  async trackRecord({ since: asked = DEFAULT_TRACK_RECORD_SINCE }) {
    const since = beginningOf('The track record', asked, deps.now());
    const present = deps.present();
    const outcomes = new Outcomes(deps);
    const groups = new Map<string, { same: Parameters<typeof ratedBy>[0]; judged: Judged[] }>();
    const pauses: TrackRecord['pauses'] = [];
    let counted = 0;
    for (; counted < MAX_COUNTED; await turn()) {
      const found = deps.reader.page({ since }, { limit: AT_ONCE, offset: counted });
      for (const one of found) {
        const { decision } = one;
        const outcome = outcomes.of(one);
        const { site, provider, model, digest_version: digestVersion } = decision;
        const current =
          provider === present.provider &&
          model === present.model &&
          (digestVersion === null || digestVersion === present.digestVersion);
        // What could not be asked counts with what was.
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
            at: iso(decision.at),
            phase: decision.phase,
            flag: decision.flag,
            paused: decision.pauses === 1,
            outcome,
          });
      }
      counted += found.length;
      if (found.length < AT_ONCE) break;
    }
    const rated = [...groups.values()]
      .map(({ same, judged }) => ratedBy(same, judged))
      .sort((a, b) => rank(a) - rank(b));
    const { mode, provider, model, digestVersion } = present;
    const mine = rated.find(({ site, current }) => current && site === 'overseer');
    const nothing = { site: 'overseer', provider, model, digestVersion, current: true } as const;
    return {
      since: iso(since),
      mode,
      provider,
      model,
      missing: mine?.missing ?? missingOf(ratedBy(nothing, [])),
      ratedBy: rated,
      pauses,
      of: deps.reader.total({ since }),
      counted,
    };
  },
});

/** The present one first, and the rating of phases before other places. */
const rank = ({ current, site }: TrackRecord['ratedBy'][number]): number =>
  (current ? 0 : 2) + (site === 'overseer' ? 0 : 1);
