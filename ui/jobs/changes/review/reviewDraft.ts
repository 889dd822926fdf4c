import { isJsonObject } from '../../../../src/base/json/isJsonObject.ts';
import type {
  ReviewCommentBody,
  ReviewVerdict,
} from '../../../../src/contract/schema/forge/review.ts';
import { type DiffFile, type DiffLine, type LinePlace, toLinePlace } from '../diff/diffFile.ts';

/** Characters of a line by which it is found again; more would not fit the drafts of a browser. */
const QUOTED_CHARS = 500;

export const readLineQuote = (line: DiffLine): string => line.text.slice(0, QUOTED_CHARS);

export interface DraftComment extends LinePlace {
  id: number;
  path: string;
  /** The first of several lines; the same as `line` for one. */
  startLine: number;
  /** Of the line, by which it is found again after the branch has changed. */
  quote: string;
  /** Comment that it answers, of `thread`; null = it begins a thread. */
  replyTo: string | null;
  body: string;
  /** Its field is open. */
  writing: boolean;
}

export interface ReviewDraft {
  comments: DraftComment[];
  summary: string;
  verdict: ReviewVerdict;
}

const EMPTY_REVIEW: ReviewDraft = { comments: [], summary: '', verdict: 'comment' };

function parseDraftComment(value: unknown): DraftComment[] {
  if (!isJsonObject(value)) return [];
  const { id, path, side, line, startLine, quote, replyTo, body, writing } = value;
  if (typeof id !== 'number' || typeof path !== 'string' || typeof line !== 'number') return [];
  if (typeof body !== 'string' || typeof quote !== 'string') return [];
  return [
    {
      id,
      path,
      side: side === 'before' ? 'before' : 'after',
      line,
      startLine: typeof startLine === 'number' ? startLine : line,
      quote,
      replyTo: typeof replyTo === 'string' ? replyTo : null,
      body,
      writing: writing === true,
    },
  ];
}

/** A stored review; what is not one, or of another version, is left out. */
export function readReviewDraft(text: string): ReviewDraft {
  if (text === '') return EMPTY_REVIEW;
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return EMPTY_REVIEW;
    const { comments, summary, verdict } = value;
    return {
      comments: Array.isArray(comments) ? comments.flatMap(parseDraftComment) : [],
      summary: typeof summary === 'string' ? summary : '',
      verdict: verdict === 'approve' || verdict === 'request_changes' ? verdict : 'comment',
    };
  } catch {
    return EMPTY_REVIEW;
  }
}

/** The text that is stored; empty for a review in which nothing is written. */
export const serializeReviewDraft = (draft: ReviewDraft): string =>
  draft.comments.length === 0 && draft.summary === '' && draft.verdict === 'comment'
    ? ''
    : JSON.stringify(draft);

/** Comments that would be sent: those with a text. */
export const listWrittenComments = ({ comments }: ReviewDraft): DraftComment[] =>
  comments.filter(({ body }) => body.trim() !== '');

export const computeNextCommentId = ({ comments }: ReviewDraft): number =>
  Math.max(0, ...comments.map(({ id }) => id)) + 1;

/** The line of a comment in the diff as it is now; null = it is gone, or has changed. */
export function findDraftLine(
  file: Pick<DiffFile, 'lines'> | undefined,
  comment: Pick<DraftComment, 'side' | 'line' | 'quote'>,
): DiffLine | null {
  const alike = (file?.lines ?? []).filter(
    (line) => toLinePlace(line)?.side === comment.side && readLineQuote(line) === comment.quote,
  );
  const distance = (line: DiffLine) => Math.abs((toLinePlace(line)?.line ?? 0) - comment.line);
  return alike.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

/** A fence longer than any in the text. */
function createQuoteFence(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(3, longest + 1));
}

/**
 * A comment as it is sent. Without its line it goes to the file, with the line quoted; null = its
 * file is gone, so it becomes part of the summary.
 */
export function toReviewCommentBody(
  comment: DraftComment,
  file: DiffFile | undefined,
): ReviewCommentBody | null {
  const { path, body, replyTo } = comment;
  if (replyTo !== null) return { path, body, replyTo };
  if (!file) return null;
  const line = findDraftLine(file, comment);
  const place = line && toLinePlace(line);
  if (!place) return { path, body: quoteComment(comment) };
  const startLine = place.line - (comment.line - comment.startLine);
  return {
    path,
    line: place.line,
    side: place.side,
    ...(startLine === place.line || startLine < 1 ? {} : { startLine }),
    body,
  };
}

/** A comment with its place and line, for those who do not see the diff beside it. */
export function quoteComment({ path, line, quote, body }: DraftComment): string {
  const fence = createQuoteFence(quote);
  return `On \`${path}:${line}\`:\n\n${fence}\n${quote}\n${fence}\n\n${body}`;
}
