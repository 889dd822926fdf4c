import type { JobPorts } from '../../../machines/index.ts';
import type { DecidesQuestions, DecisionQuestion } from '../../contract/policy/decider.ts';
import type { Port } from '../../kernel/port.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { ChangedFiles, RatingTerms } from '../../contract/schema/policy/decision.ts';
import { askDecider, type DecisionCall } from './askDecider.ts';
import { buildPhaseDigest } from './digest/buildPhaseDigest.ts';
import { gatherDigestInput, type GatherDeps, type SeenVisit } from './digest/gatherDigestInput.ts';
import { toObligations } from './obligations.ts';

/** Longest objective that a decider sees, characters. */
const MAX_OBJECTIVE_CHARS = 900;
/** Runs of the effect that may ask: the first, and one after a restart. */
const MAX_RUNS = 2;

export interface RatePhaseDeps extends GatherDeps {
  clock: Clock;
  screen(text: string): string;
  decider(id: string): DecidesQuestions;
  description(jobId: string): string;
  /** Changed files of the session that has just ended, against the base; null = unknown. */
  readChangedFiles(jobId: string): ChangedFiles | null;
  readLastFrame(jobId: string): number;
  usageRows(call: DecisionCall): RowChange[];
}

type RatePhaseParams = JobPorts['phase.judge'];

export function buildPhaseQuestion(
  deps: Pick<RatePhaseDeps, 'rows' | 'frames' | 'description' | 'screen'>,
  jobId: string,
  {
    visit,
    session,
    phase,
    workflowPath,
    terms,
  }: Omit<RatePhaseParams, 'facts' | 'terms'> & { terms: Pick<RatingTerms, 'model' | 'timeoutMs'> },
  seenVisit: SeenVisit,
): DecisionQuestion & { site: 'overseer' } {
  return {
    id: `${jobId}/${visit}/${session}/overseer`,
    site: 'overseer',
    model: terms.model,
    deadlineMs: terms.timeoutMs,
    objective: deps.screen(deps.description(jobId)).slice(0, MAX_OBJECTIVE_CHARS),
    phase: { name: phase.name, visit, of: workflowPath },
    obligations: toObligations(phase.obligations ?? null),
    digest: buildPhaseDigest(gatherDigestInput(deps, jobId, visit, seenVisit)),
    questions: ['requirement', 'goal', 'seriousness', 'stuck'],
  };
}

/**
 * `phase.judge`: asks the decider once, and once more if a restart cut that off. The job continues
 * whatever the outcome.
 */
export const ratePhase =
  (deps: RatePhaseDeps): Port<RatePhaseParams, Tables> =>
  async (params, run) => {
    const { visit, session, terms, facts } = params;
    const jobId = run.actorId;
    const seenVisit: SeenVisit = {
      facts,
      changed: deps.readChangedFiles(jobId),
      upTo: deps.readLastFrame(jobId),
    };
    const question = buildPhaseQuestion(deps, jobId, params, seenVisit);
    const outcome =
      run.attempt > MAX_RUNS
        ? { skipped: 'The runner stopped twice before it had an answer.', ms: 0 }
        : await askDecider(openPhaseDecider(deps, terms), question, {
            ...deps,
            signal: run.signal,
          });
    const { ms, usage, ...rest } = { usage: undefined, ...outcome };
    const { obligations, digest } = question;
    const { provider, model } = terms;
    const place = { jobId, visit, phase: params.phase.name, workflowPath: params.workflowPath };
    return {
      rows: usage ? deps.usageRows({ place, provider, model, usage }) : [],
      events: [
        {
          type: 'phase.judged',
          visit,
          session,
          judgement: {
            obligations,
            digestVersion: digest.version,
            digestSha: digest.sha256,
            seen: seenVisit,
            ms,
            outcome: rest,
          },
        },
      ],
    };
  };

/** A decider that cannot be opened fails when it is asked, which is a skip with its reason. */
export function openPhaseDecider(
  deps: Pick<RatePhaseDeps, 'decider'>,
  { provider }: Pick<RatingTerms, 'provider'>,
): DecidesQuestions {
  try {
    return deps.decider(provider);
  } catch (error) {
    const why = toErrorMessage(error);
    return {
      decide: async () => {
        throw new Error(why);
      },
    };
  }
}
