import type { JobContext } from '../../../../machines/index.ts';
import type { DecidesQuestions, DecisionQuestion } from '../../../contract/policy/decider.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import { askDecider, type DecisionCall } from '../askDecider.ts';
import type { DecisionSettings } from '../../../contract/schema/runner/settings.ts';
import type { AnswersOf } from '../../../contract/schema/policy/siteAnswers.ts';
import { openPhaseDecider } from '../ratePhase.ts';
import { toRecordedModel, resolveSiteMode } from '../decisionTerms.ts';
import { type OtherSite, buildSiteRow } from './buildSiteRow.ts';

export interface SiteDeps {
  settings: { decision: DecisionSettings };
  clock: Clock;
  screen(text: string): string;
  /** Throws for an unknown or unusable decider. */
  decider(id: string): DecidesQuestions;
  usageRows(call: DecisionCall): RowChange[];
}

interface SiteQuestion<Site extends OtherSite> {
  key: string;
  site: Site;
  jobId: string;
  context: Pick<JobContext, 'visit' | 'phase' | 'workflowPath'>;
  /** The part of the question that differs within a site. */
  about: Pick<DecisionQuestion, 'objective' | 'digest' | 'options'>;
  /** Longest wait, ms; default: as configured. */
  mostMs?: number;
  /** The consequence of an answer, for people; null = none. */
  explain(answers: AnswersOf<Site>): string | null;
}

export interface SiteOutcome<Site extends OtherSite> {
  mode: 'shadow' | 'live';
  /** null = no answer, as if the site were off. */
  answers: AnswersOf<Site> | null;
  /** The consequence; in shadow mode only recorded. */
  consequence: string | null;
  /** Why there is no answer; null = there is one. */
  skipped: string | null;
  rows: RowChange[];
}

const QUESTIONS: Readonly<Record<OtherSite, readonly string[]>> = {
  'wake-gate': ['wake'],
  lane: ['belongs', 'better'],
  'input-screen': ['override'],
  'review-lens': ['focus'],
};

/** Asks the decider once if the site is on; null = off. */
export async function askSite<Site extends OtherSite>(
  deps: SiteDeps,
  {
    key,
    site,
    jobId,
    context,
    about,
    mostMs = Number.POSITIVE_INFINITY,
    explain,
  }: SiteQuestion<Site>,
  signal: AbortSignal,
): Promise<SiteOutcome<Site> | null> {
  const { decision } = deps.settings;
  const mode = resolveSiteMode(decision, site);
  if (mode === null) return null;
  const { provider, model, timeoutMs } = decision;
  const { visit, phase, workflowPath } = context;
  const place = { jobId, visit, phase, workflowPath };
  const question: DecisionQuestion & { site: Site } = {
    ...about,
    id: `${jobId}/${key}`,
    site,
    model,
    deadlineMs: Math.min(timeoutMs, mostMs),
    phase: { name: phase, visit, of: workflowPath },
    obligations: [],
    questions: QUESTIONS[site],
  };
  const outcome = await askDecider(openPhaseDecider(deps, { provider }), question, {
    ...deps,
    signal,
  });
  const answers = 'answers' in outcome ? outcome.answers : null;
  const consequence = answers === null ? null : explain(answers);
  const record = {
    jobId,
    key,
    question,
    mode,
    provider,
    model: toRecordedModel(decision, site),
    at: deps.clock.now(),
  };
  const rowChanges =
    'usage' in outcome && outcome.usage
      ? deps.usageRows({ place, provider, model, usage: outcome.usage })
      : [];
  return {
    mode,
    answers,
    consequence,
    skipped: 'skipped' in outcome ? outcome.skipped : null,
    rows: [buildSiteRow(record, outcome, consequence), ...rowChanges],
  };
}
