import {
  flattenUntrustedText,
  type JobContext,
  collectRatingFacts,
  quoteUntrustedText,
} from '../../../../machines/index.ts';
import type { Obligation } from '../../../contract/policy/decider.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { PhaseDefinition } from '../../../contract/schema/workflow/workflow.ts';
import { buildPhaseDigest } from '../digest/buildPhaseDigest.ts';
import { gatherDigestInput, type GatherDeps, type SeenVisit } from '../digest/gatherDigestInput.ts';
import { resolveSiteMode } from '../decisionTerms.ts';
import { askSite, type SiteDeps, type SiteOutcome } from './askSite.ts';
import type { OtherSite } from './buildSiteRow.ts';
import { formatLaneNote, formatLensNote } from './siteNotes.ts';

/** Names of phases and agents that review others' work. */
const REVIEWS = /review|evaluat/i;
/** Runs of a session's start that may ask: the first, and one after a restart. */
const MAX_RUNS = 2;
/** Longest objective that a decider sees, characters. */
const MAX_OBJECTIVE_CHARS = 900;

export interface SessionNotesDeps extends SiteDeps, GatherDeps {
  readState(jobId: string): { context: JobContext };
  description(jobId: string): string;
  readLastFrame(jobId: string): number;
  /** Resolves when the rows are durable. */
  writeRows(rows: RowChange[]): Promise<void>;
}

export interface NotedSession {
  jobId: string;
  visit: number;
  session: number;
  phase: PhaseDefinition;
  lanes: readonly Obligation[];
  attempt: number;
  signal: AbortSignal;
}

/** A note for the agent (null = none) and lines for the job's log. */
export interface SessionNotes {
  note: string | null;
  lines: { tag: OtherSite; line: string }[];
}

const NOTHING: SessionNotes = { note: null, lines: [] };

/**
 * Called when a visit follows another: asks whether the job still fits its workflow (`lane`), and,
 * if the phase reviews, what to look at first (`review-lens`). Both are advice: no workflow is
 * changed and no review left out.
 */
export const createSessionNotes =
  (deps: SessionNotesDeps) =>
  async (session: NotedSession): Promise<SessionNotes> => {
    const { jobId, visit, phase, lanes, attempt, signal } = session;
    const { decision } = deps.settings;
    const reviews = REVIEWS.test(phase.name) || REVIEWS.test(phase.agent ?? '');
    const sites = (['lane', 'review-lens'] as const).filter(
      (site) => resolveSiteMode(decision, site) !== null && (site === 'lane' || reviews),
    );
    const isFirst = session.session === 1 && visit > 1 && attempt <= MAX_RUNS;
    if (sites.length === 0 || !isFirst) return NOTHING;
    const { context } = deps.readState(jobId);
    const about = {
      objective: deps.screen(deps.description(jobId)).slice(0, MAX_OBJECTIVE_CHARS),
      digest: buildPhaseDigest(
        gatherDigestInput(deps, jobId, visit - 1, readSeenVisit(deps, jobId, context)),
      ),
    };
    const question = (site: OtherSite) => ({ key: `${site}/${visit}`, jobId, context, about });
    const [lane, lens] = await Promise.all([
      sites.includes('lane')
        ? askSite(
            deps,
            {
              ...question('lane'),
              site: 'lane',
              about: { ...about, options: lanes },
              explain: formatLaneNote,
            },
            signal,
          )
        : null,
      sites.includes('review-lens')
        ? askSite(
            deps,
            { ...question('review-lens'), site: 'review-lens', explain: formatLensNote },
            signal,
          )
        : null,
    ]);
    await deps.writeRows([...(lane?.rows ?? []), ...(lens?.rows ?? [])]);
    const notes = [
      toLiveNote(
        lane,
        (consequence) => `[process note] Advice, not an instruction: ${consequence}.`,
      ),
      toLiveNote(
        lens,
        (_consequence, { focus }) =>
          `[process note] Advice, not an instruction. Look first at what these lines name, and review everything else all the same:\n${quoteUntrustedText(focus.points.map(flattenUntrustedText).join('\n'))}`,
      ),
    ].filter((note) => note !== null);
    return {
      note: notes.length === 0 ? null : notes.join('\n\n'),
      lines: [...toSiteLogLines('lane', lane), ...toSiteLogLines('review-lens', lens)],
    };
  };

/** Facts of the previous visit that no row holds: from its rating, else as they are now. */
function readSeenVisit(deps: SessionNotesDeps, jobId: string, context: JobContext): SeenVisit {
  const rating = deps.rows
    .all('decisions', { job_id: jobId, site: 'overseer', visit: context.visit - 1 })
    .at(-1);
  if (rating?.seen) return JSON.parse(rating.seen) as SeenVisit;
  const facts = collectRatingFacts(context, deps.clock.now());
  return { facts, changed: null, upTo: deps.readLastFrame(jobId) };
}

const toLiveNote = <Site extends OtherSite>(
  outcome: SiteOutcome<Site> | null,
  text: (consequence: string, answers: NonNullable<SiteOutcome<Site>['answers']>) => string,
): string | null =>
  outcome?.mode === 'live' && outcome.consequence !== null && outcome.answers !== null
    ? text(outcome.consequence, outcome.answers)
    : null;

function toSiteLogLines<Site extends OtherSite>(
  tag: Site,
  outcome: SiteOutcome<Site> | null,
): SessionNotes['lines'] {
  if (outcome === null) return [];
  const { skipped, consequence } = outcome;
  if (skipped !== null) return [{ tag, line: `no answer: ${skipped}` }];
  return consequence === null ? [] : [{ tag, line: flattenUntrustedText(consequence) }];
}
