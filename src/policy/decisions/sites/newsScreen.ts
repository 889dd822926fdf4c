import { sha256 } from '../../../base/system/ids/ids.ts';
import {
  isHoldable,
  wouldWake,
  flattenUntrustedText,
  type JobContext,
  type JobEvent,
} from '../../../../machines/index.ts';
import type { NewsScreen, ScreenedNews } from '../newsScreen.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import { listLeafPaths } from '../../../base/json/listLeafPaths.ts';
import type { ActorState } from '../../../kernel/chart.ts';
import type { Send } from '../../../kernel/contract.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { TypedRows } from '../../../kernel/typedRows.ts';
import type { LogFrame } from '../../../contract/schema/job/frames.ts';
import type { ProviderEvent } from '../../../contract/schema/forge/pr.ts';
import { askSite, type SiteDeps, type SiteOutcome } from './askSite.ts';
import type { OtherSite } from './buildSiteRow.ts';
import { resolveSiteMode } from '../decisionTerms.ts';
import { explainHeldComment, explainMarkedText } from './siteNotes.ts';
import type { Digest } from '../../../contract/policy/decider.ts';
import { shorten } from '../../../base/text/clip.ts';
import { DIGEST_VERSION, addDigestHash } from '../digest/buildPhaseDigest.ts';
import { toDigestLine } from '../digest/sections.ts';

/** Longest comment that a decider sees, characters. */
const MAX_COMMENT_CHARS = 2_000;

/** A comment for a decider: its place is a fact, its text is a person's claim. */
const buildCommentDigest = ({
  kind,
  prId,
  author,
  text,
}: Pick<ProviderEvent, 'kind' | 'prId' | 'author' | 'text'>): Digest =>
  addDigestHash({
    version: DIGEST_VERSION,
    counts: { messages: 1 },
    facts: [toDigestLine(`${kind} on ${prId}`)],
    tools: [],
    failures: [],
    people: [shorten(flattenUntrustedText(`${author}: ${text}`), MAX_COMMENT_CHARS)],
    claims: [],
    history: [],
    truncated: text.length > MAX_COMMENT_CHARS ? ['people'] : [],
  });

/** Most questions about one poll or delivery; the remaining news are reported unasked. */
export const MAX_ASKED = 20;
/** Longest delay of news by the provider, ms, whatever `decision.timeoutMs` says. */
export const MAX_WAIT_MS = 5_000;
const MAX_OBJECTIVE_CHARS = 900;

const WAITING: readonly string[] = ['parked.event', 'parked.external'];
/** Kinds with a text by people. */
const WITH_TEXT: ReadonlySet<string> = new Set([
  'commented',
  'review_thread',
  'changes_requested',
  'approved',
]);

type ForgeNewsEvent = Extract<JobEvent, { type: 'forge.event' }>;

export interface NewsScreenDeps extends SiteDeps {
  rows: Pick<TypedRows<Tables>, 'count'>;
  readState(jobId: string): ActorState<JobContext>;
  description(jobId: string): string;
}

interface ScreenQuestion {
  send: Send;
  event: ProviderEvent;
  site: 'wake-gate' | 'input-screen';
}

/** A forge's ids may be long and contain anything. */
const hashNewsName = ({ forge, externalId }: ProviderEvent): string =>
  sha256(`${forge} ${externalId}`).slice(0, 24);

/**
 * Asks about comments before they are reported: whether they are worth waking a waiting job
 * (`wake-gate`), and whether they look like injected instructions (`input-screen`). News from
 * programs and from svc itself have been left out before. The record is committed with the report.
 * `signal`: aborted when the runner stops, which ends the wait.
 */
export const createNewsScreen = (deps: NewsScreenDeps, signal: AbortSignal): NewsScreen => {
  const { settings, rows, readState, screen, description, clock } = deps;
  const isOn = (site: OtherSite): boolean => resolveSiteMode(settings.decision, site) !== null;

  const listQuestions = (send: Send): ScreenQuestion[] => {
    const { type, event } = send.event as ForgeNewsEvent;
    if (type !== 'forge.event' || event.text.trim() === '') return [];
    const { value, context } = readState(send.to);
    const waits = listLeafPaths(value).some((path) => WAITING.includes(path));
    const sites = [
      ...(isOn('wake-gate') && isHoldable(event.kind) && waits && wouldWake(context, event)
        ? (['wake-gate'] as const)
        : []),
      ...(isOn('input-screen') && WITH_TEXT.has(event.kind) ? (['input-screen'] as const) : []),
    ];
    return sites
      .filter((site) => {
        // Counted, since an unreadable row must not stop the news of other jobs.
        const key = `${site}/${hashNewsName(event)}`;
        return rows.count('decisions', { job_id: send.to, key }) === 0;
      })
      .map((site) => ({ send, event, site }));
  };

  const decideOutcome = async ({ send, event, site }: ScreenQuestion) => {
    const { context } = readState(send.to);
    const objective = screen(description(send.to)).slice(0, MAX_OBJECTIVE_CHARS);
    const question = {
      key: `${site}/${hashNewsName(event)}`,
      jobId: send.to,
      context,
      about: { objective, digest: buildCommentDigest({ ...event, text: screen(event.text) }) },
      mostMs: MAX_WAIT_MS,
    };
    // A signal for each question, since many are asked at a time.
    const own = AbortSignal.any([signal]);
    return site === 'wake-gate'
      ? askSite(deps, { ...question, site, explain: explainHeldComment }, own)
      : askSite(deps, { ...question, site, explain: explainMarkedText }, own);
  };

  const formatLogFrame = ({ send, event, site }: ScreenQuestion, text: string) => {
    const { phase, visit } = readState(send.to).context;
    const line = `${event.kind} on ${event.prId} by ${event.author} ${text}`;
    const data: LogFrame = {
      at: toIsoTime(clock.now()),
      phase,
      visit,
      from: 'runner',
      tag: site,
      line,
    };
    return { actor: send.to, frame: { kind: 'log' as const, data } };
  };

  return async (sends) => {
    const all = sends.flatMap(listQuestions);
    const screenings = await Promise.all(
      all.slice(0, MAX_ASKED).map(async (asks) => ({ asks, outcome: await decideOutcome(asks) })),
    );
    const marks = new Map<Send, Pick<ForgeNewsEvent, 'held' | 'override'>>();
    const screenedNews: Required<ScreenedNews> = { sends: [], rows: [], frames: [] };
    for (const { asks, outcome } of screenings) {
      if (outcome === null) continue;
      screenedNews.rows.push(...outcome.rows);
      const text = describeScreening(asks.site, outcome);
      if (text !== null) screenedNews.frames.push(formatLogFrame(asks, text));
      if (outcome.mode !== 'live' || outcome.consequence === null) continue;
      const mark =
        asks.site === 'wake-gate' ? { held: true as const } : { override: true as const };
      marks.set(asks.send, { ...marks.get(asks.send), ...mark });
    }
    for (const asks of all.slice(MAX_ASKED))
      screenedNews.frames.push(
        formatLogFrame(asks, `was not checked: at most ${MAX_ASKED} questions are asked at a time`),
      );
    screenedNews.sends = sends.map((send) => ({
      ...send,
      event: { ...send.event, ...marks.get(send) },
    }));
    return screenedNews;
  };
};

type AnsweredScreen = SiteOutcome<'wake-gate'> | SiteOutcome<'input-screen'>;

/** The line for the log; null = none. */
function describeScreening(
  site: ScreenQuestion['site'],
  { mode, consequence, skipped }: AnsweredScreen,
): string | null {
  if (skipped !== null) return `was not looked at: ${skipped}`;
  if (consequence === null) return null;
  const does =
    site === 'wake-gate' ? ['is held', 'would be held'] : ['is marked', 'would be marked'];
  return `${mode === 'live' ? does[0] : does[1]}: ${consequence}`;
}
