import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { ReviewComment } from '../../contract/forge/review.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type {
  Review,
  ReviewBody,
  ReviewedComment,
  ReviewedVerdict,
  SvcApproval,
} from '../../contract/schema/forge/review.ts';

export type ReviewRow = Tables['reviews'];

export interface ReviewContent {
  body: string;
  comments: ReviewComment[];
}

/** The outcome of the parts, as the row keeps it. */
export interface ReviewOutcome {
  given: ReviewedVerdict;
  /** Of the text of the whole review; null = no text. */
  text: ReviewedComment['state'] | null;
  comments: ReviewedComment[];
  /**
   * Numbers of the comments that the forge is given. Decided once, since parts name their comments
   * by position here.
   */
  placed: number[];
}

/** Rows are written by this file alone. */
export const parseReviewContent = ({ content }: Pick<ReviewRow, 'content'>): ReviewContent =>
  JSON.parse(content) as ReviewContent;
export const parseReviewOutcome = ({ outcome }: Pick<ReviewRow, 'outcome'>): ReviewOutcome =>
  JSON.parse(outcome) as ReviewOutcome;

export const toReviewComments = ({ comments = [] }: ReviewBody): ReviewComment[] =>
  comments.map(({ path, line, startLine, side, body, suggestion, replyTo }) => ({
    path,
    line: line ?? null,
    startLine: startLine === line ? null : (startLine ?? null),
    side: side ?? 'after',
    body,
    suggestion: suggestion ?? null,
    replyTo: replyTo ?? null,
  }));

export function summarizeReviewState({ given, text, comments }: ReviewOutcome): Review['state'] {
  const parts = [
    ...comments.map(({ state }) => state),
    ...(text === null ? [] : [text]),
    ...(given.state === 'none' || given.state === 'elsewhere' ? [] : [given.state]),
  ];
  const sentCount = parts.filter((state) => state === 'sent').length;
  if (sentCount === parts.length) return 'sent';
  return sentCount === 0 && !parts.includes('undecided') ? 'failed' : 'partly';
}

export function toReviewView(row: ReviewRow, rows: RowReader): Review {
  const { given, comments } = parseReviewOutcome(row);
  const { id, job_id: jobId } = row;
  return {
    id,
    jobId,
    prId: row.pr_id,
    author: row.author,
    head: row.head,
    at: toIsoTime(row.at),
    verdict: row.verdict,
    body: parseReviewContent(row).body,
    state: row.state,
    problem: row.problem,
    agentToldOf:
      rows.count('inbox_items', {
        job_id: jobId,
        id: row.verdict === 'approve' ? toApprovalEventId(row) : id,
      }) > 0,
    given,
    comments,
  };
}

export const toApprovalEventId = ({ id, pr_id: prId }: Pick<ReviewRow, 'id' | 'pr_id'>): string =>
  `${prId}:approved:review:${id}`;

export const toSvcApproval = (row: Tables['svc_approvals'], isCurrent: boolean): SvcApproval => ({
  person: row.person,
  head: row.head,
  at: toIsoTime(row.at),
  current: isCurrent,
});
