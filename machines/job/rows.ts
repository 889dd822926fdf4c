import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import type { LogFrame } from '../../src/contract/schema/job/frames.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { ProviderEvent, PrMapping, PrState } from '../../src/contract/schema/forge/pr.ts';
import type { JobContext, PrProblem, PrRef } from './jobContext.ts';
import type { EventOf } from './jobEvents.ts';
import { toEventIsoTime, toEventTime } from '../kit/eventTime.ts';
import { toEventKey } from './rules/eventKey.ts';
import { isHeldEvent, derivePrState } from './rules/wakeMatch.ts';

type Put = IntrinsicParams['row.put'];
type PatchRow = IntrinsicParams['row.patch'];
type Frame = IntrinsicParams['frame.add'];

/** A log line that the runner itself writes. */
export function toLogFrame(
  context: Pick<JobContext, 'createdAt' | 'phase' | 'visit'>,
  event: { at?: number },
  tag: string | null,
  line: string,
): Frame {
  const data: LogFrame = {
    at: toEventIsoTime(context, event),
    phase: context.phase,
    visit: context.visit,
    from: 'runner',
    tag,
    line,
  };
  return { kind: 'log', data };
}

export const toVisitRow = (
  context: Pick<JobContext, 'id' | 'createdAt' | 'visit' | 'phase' | 'status'>,
  event: { at?: number },
): Put => ({
  table: 'phase_visits',
  row: {
    job_id: context.id,
    visit: context.visit,
    phase: context.phase,
    status: context.status,
    started_at: toEventTime(context, event),
    ended_at: null,
    sessions: 0,
    overlay_hash: null,
    outcome: null,
    approved_by: null,
    approved_person: null,
  },
});

/** Marks a write as undecided in the ledger if no port reported its outcome. */
export const buildUndecidedPatch = ({ result }: EventOf<'forge.wrote'>): PatchRow => ({
  table: 'forge_writes',
  key: { operation_id: String(result.operationId ?? ''), state: 'sent' },
  set: { state: 'undecided' },
});

export const buildVisitPatch = (
  { id, visit }: JobContext,
  set: Partial<Tables['phase_visits']>,
): PatchRow => ({
  table: 'phase_visits',
  key: { job_id: id, visit },
  set,
});

/** `n` is the number of the message in the inbox. */
export const toMessageRow = (
  { id }: JobContext,
  event: EventOf<'job.message'>,
  n: number,
): Put => ({
  table: 'inbox_items',
  row: {
    job_id: id,
    n,
    id: event.id,
    at: event.at,
    kind: 'message',
    author: event.author,
    text: event.text,
    pr_id: null,
    url: null,
  },
});

export const buildSupersededPatch = (
  { id: jobId }: JobContext,
  n: number,
  by: string,
): PatchRow => ({
  table: 'inbox_items',
  key: { job_id: jobId, n },
  set: { superseded_by: by },
});

type OfferEvent = EventOf<'message.offered' | 'message.delivered' | 'message.acknowledged'>;

const toOfferKey = ({ id: jobId }: JobContext, { id, visit, session, attempt }: OfferEvent) => ({
  job_id: jobId,
  id,
  visit,
  session,
  attempt,
});

export const toOfferRow = (context: JobContext, event: EventOf<'message.offered'>): Put => ({
  table: 'message_offers',
  row: {
    ...toOfferKey(context, event),
    how: event.how,
    interrupted: event.interrupted,
    at: event.at,
  },
});

export const buildDeliveredPatch = (
  context: JobContext,
  event: EventOf<'message.delivered'>,
): PatchRow => ({
  table: 'message_offers',
  key: toOfferKey(context, event),
  set: { delivered_at: event.at },
});

export const buildAcknowledgedPatch = (
  context: JobContext,
  event: EventOf<'message.acknowledged'>,
): PatchRow => ({
  table: 'message_offers',
  key: toOfferKey(context, event),
  set: { acknowledged_at: event.at },
});

export const buildMessageReadPatch = (
  { id: jobId }: JobContext,
  { n, at }: EventOf<'message.acknowledged'>,
): PatchRow => ({
  table: 'inbox_items',
  key: { job_id: jobId, n },
  set: { acknowledged_at: at },
});

/** `n`: number in the inbox; `at`: time at the forge, by which a batch is ordered. */
export const toInboxEventRow = (
  { id }: JobContext,
  { event, ...news }: Pick<EventOf<'forge.event'>, 'event' | 'held' | 'override'>,
  n: number,
): Put => ({
  table: 'inbox_items',
  row: {
    job_id: id,
    n,
    id: event.externalId,
    at: event.happenedAt,
    kind: toEventKey(event.kind),
    author: event.author,
    text: event.text,
    pr_id: event.prId,
    url: event.url,
    ...(isHeldEvent({ event, ...news }) ? { held: 1 as const } : {}),
    ...(news.override ? { override: 1 as const } : {}),
  },
});

/** The state after a merge, close or reopening. A merged pull request stays merged. */
export const buildPrStatePatch = (
  { prs }: Pick<JobContext, 'prs'>,
  { forge, repo, number, prId, kind, happenedAt }: ProviderEvent,
): PatchRow => {
  const before = prs.find((pr) => pr.prId === prId)?.state ?? 'open';
  const state = derivePrState(before, kind);
  return {
    table: 'pr_mappings',
    key: { forge, repo, number },
    set:
      kind === 'merged'
        ? { state, merged_at: new Date(happenedAt).toISOString() }
        : state === 'merged'
          ? { state }
          : { state, merged_at: null },
  };
};

/** What its watchers found about a pull request; null = nothing is wrong any more. */
export const buildPrProblemPatch = (
  { forge, repo, number }: Pick<PrRef, 'forge' | 'repo' | 'number'>,
  problem: PrProblem | null,
): PatchRow => ({
  table: 'pr_mappings',
  key: { forge, repo, number },
  set: { problem: problem?.why ?? null },
});

/** `state`: what the job knows, which may be newer than the answer. */
export const toPrRow = ({ id }: JobContext, pr: PrMapping, state: PrState): Put => ({
  table: 'pr_mappings',
  row: {
    forge: pr.forge,
    repo: pr.repo,
    number: pr.number,
    job_id: id,
    pr_id: pr.prId,
    title: pr.title,
    head: pr.head,
    base: pr.base,
    url: pr.url,
    state,
    work_item: pr.workItem ?? null,
    // An older answer has no merge time; leaving it out keeps the stored one.
    ...(state === pr.state ? { merged_at: pr.mergedAt } : {}),
  },
});

export const toToolAnswerRow = (
  { id }: JobContext,
  key: string,
  ok: boolean,
  result: Record<string, unknown>,
): Put => ({
  table: 'tool_answers',
  row: { job_id: id, key, ok: ok ? 1 : 0, result: JSON.stringify(result) },
});

export const toArtefactRow = (
  { id: jobId, phase, visit }: JobContext,
  event: EventOf<'tool.post_artifact'>,
): Put => {
  const { id, at, kind, title, mime, size, sha256 } = event;
  return {
    table: 'artefacts',
    row: { job_id: jobId, id, at, phase, visit, kind, title, mime, size, sha256 },
  };
};

export const toArtefactFrame = (
  context: JobContext,
  event: EventOf<'tool.post_artifact'>,
): Frame => {
  const { id, kind, title, mime, size, sha256 } = event;
  return {
    kind: 'artefact',
    data: {
      id,
      kind,
      title,
      mime,
      size,
      sha256,
      phase: context.phase,
      visit: context.visit,
      at: toEventIsoTime(context, event),
    },
  };
};

export const toInsightRow = (
  { id: jobId, phase }: JobContext,
  { id, at, category, text }: EventOf<'tool.add_insight'>,
): Put => ({
  table: 'insights',
  row: { job_id: jobId, id, at, phase, category, text },
});

type Usage = NonNullable<EventOf<'session.ended'>['usage']>;

export const toUsageRow = (
  { id, phase }: JobContext,
  { visit, session }: EventOf<'session.ended'>,
  usage: Usage,
): Put => ({
  table: 'token_usage',
  row: {
    job_id: id,
    visit,
    session,
    phase,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    ...(usage.cacheWriteTokens === undefined ? {} : { cache_write_tokens: usage.cacheWriteTokens }),
  },
});

export const toUsageFrame = (
  { phase }: JobContext,
  { visit, session }: EventOf<'session.ended'>,
  usage: Usage,
): Frame => ({
  kind: 'usage',
  data: { phase, visit, session, usage },
});
