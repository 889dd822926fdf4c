import { createMemo, For, Show } from 'solid-js';
import type { DiffFile, DiffLine, LinePlace } from '../diff/diffFile.ts';
import type { LineOfFile } from '../files/filesView.ts';
import type { PullRequestReview } from '../createPullRequestReview.ts';
import { readLineQuote, type DraftComment } from './reviewDraft.ts';
import { ThreadCard } from './ThreadCard.tsx';
import type { ThreadWithComments } from './threads.ts';
import { CommentBody } from './CommentBody.tsx';
import { Composer } from './Composer.tsx';

interface DraftCardProps {
  comment: DraftComment;
  lines: readonly string[];
  starts: readonly number[];
  /** Why it is not at its line; null = it is. */
  misplaced: string | null;
  change: (change: Partial<DraftComment>) => void;
  remove: () => void;
  onAdd: () => void;
  sendNow: (() => Promise<boolean>) | null;
}

function DraftCard(props: DraftCardProps) {
  return (
    <div class="draft-comment">
      <Show when={props.misplaced}>{(why) => <p class="notice-line">{why()}</p>}</Show>
      <Show
        when={props.comment.writing}
        fallback={
          <>
            <p class="row said-by">
              <span class="pill needs-you">Not sent yet</span>
              <button type="button" class="link" onClick={() => props.change({ writing: true })}>
                Edit
              </button>
              <button type="button" class="link" onClick={() => props.remove()}>
                Discard
              </button>
            </p>
            <CommentBody body={props.comment.body} lines={props.lines} />
          </>
        }
      >
        <Composer
          comment={props.comment}
          lines={props.lines}
          starts={props.starts}
          change={props.change}
          add={() => {
            props.change({ writing: false });
            props.onAdd();
          }}
          sendNow={props.sendNow}
          remove={() => {
            props.remove();
            props.onAdd();
          }}
        />
      </Show>
    </div>
  );
}

/** Most lines above a comment that can be chosen as its first one. */
const MOST_ABOVE = 40;

const readNumberOnSide = (line: DiffLine, side: LinePlace['side']): number | null =>
  line.kind === 'hunk' ? null : side === 'before' ? line.before : line.after;

/** The lines of a file that a comment from one number to another is about. */
const listLinesBetween = (
  file: DiffFile | undefined,
  side: LinePlace['side'],
  first: number,
  last: number,
): string[] =>
  (file?.lines ?? [])
    .filter((line) => {
      const number = readNumberOnSide(line, side);
      return number !== null && number >= first && number <= last;
    })
    .map(({ text }) => text);

/** Numbers at which a comment on a line may begin: the lines above it in the diff, and its own. */
function listPossibleStarts(
  file: DiffFile | undefined,
  side: LinePlace['side'],
  last: number,
): number[] {
  const numbers = (file?.lines ?? []).flatMap((line) => readNumberOnSide(line, side) ?? []);
  const starts: number[] = [];
  for (let number = last; numbers.includes(number) && starts.length <= MOST_ABOVE; number--)
    starts.unshift(number);
  return starts;
}

/** What can be done with comments now; null where it cannot. */
export interface CommentActs {
  /** Sends one comment alone. */
  sendNow: ((comment: DraftComment) => Promise<boolean>) | null;
  /** Whether comments can be written at all. */
  canComment: () => boolean;
  resolve: (() => ((threadId: string, resolved: boolean) => Promise<boolean>) | null) | null;
  onDone: (at: LineOfFile | null) => void;
}

/** The comments below one line: threads, and what is being written. */
export function LineComments(props: {
  at: LineOfFile;
  review: PullRequestReview;
  acts: CommentActs;
}) {
  const { file, line } = props.at;
  return (
    <>
      <Threads
        threads={props.review.threadsOf(file)?.byLine.get(line) ?? []}
        file={file}
        line={line}
        review={props.review}
        acts={props.acts}
      />
      <For each={props.review.draftsOf(file)?.byLine.get(line) ?? []}>
        {(id) => <Draft id={id} at={props.at} review={props.review} acts={props.acts} />}
      </For>
    </>
  );
}

/** Comments of a file whose line is not in the diff. */
export function OtherComments(props: {
  file: DiffFile;
  review: PullRequestReview;
  acts: CommentActs;
}) {
  return (
    <>
      <Threads
        threads={props.review.threadsOf(props.file)?.elsewhere ?? []}
        file={props.file}
        line={null}
        review={props.review}
        acts={props.acts}
      />
      <For each={props.review.draftsOf(props.file)?.elsewhere ?? []}>
        {(id) => <Draft id={id} at={null} review={props.review} acts={props.acts} />}
      </For>
    </>
  );
}

interface LineCommentsProps {
  file: DiffFile | null;
  line: DiffLine | null;
  review: PullRequestReview;
  acts: CommentActs;
}

/**
 * Threads with the answers that are being written. They are kept by id: each reading of the pull
 * request brings new objects, which must not take a field away from the one who types in it.
 */
export function Threads(props: LineCommentsProps & { threads: readonly ThreadWithComments[] }) {
  const byId = createMemo(() => new Map(props.threads.map((one) => [one.thread.id, one])));
  return (
    <For each={[...byId().keys()]}>
      {(id) => (
        <Show when={byId().get(id)}>{(thread) => <Thread {...props} thread={thread()} />}</Show>
      )}
    </For>
  );
}

function Thread(props: LineCommentsProps & { thread: ThreadWithComments }) {
  const root = () => props.thread.comments[0]?.id;
  const path = () => props.thread.thread.path;
  const number = () => props.thread.thread.line ?? 0;
  const reply = () => {
    const replyTo = root();
    if (replyTo === undefined) return;
    props.review.begin({
      path: path(),
      side: 'after',
      line: number(),
      startLine: number(),
      quote: props.line ? readLineQuote(props.line) : '',
      replyTo,
    });
  };
  const resolve = () => props.acts.resolve?.() ?? null;
  return (
    <ThreadCard
      of={props.thread}
      lines={props.line ? [props.line.text] : []}
      reply={props.acts.canComment() && root() !== undefined ? reply : null}
      resolve={
        resolve()
          ? async (resolved) => (await resolve()?.(props.thread.thread.id, resolved)) ?? false
          : null
      }
    >
      <Show when={props.line === null}>
        <p class="muted">
          <bdi>{path()}</bdi>
          {props.thread.thread.line === null ? '' : `, line ${props.thread.thread.line}`}: not among
          the lines shown.
        </p>
      </Show>
      <For each={props.review.repliesTo(props.thread.thread.commentIds)}>
        {(id) => (
          <Draft
            id={id}
            at={props.file && props.line ? { file: props.file, line: props.line } : null}
            review={props.review}
            acts={props.acts}
          />
        )}
      </For>
    </ThreadCard>
  );
}

export function Draft(props: {
  id: number;
  at: LineOfFile | null;
  review: PullRequestReview;
  acts: CommentActs;
}) {
  const comment = () => props.review.comment(props.id);
  const file = () => props.review.fileAt(comment()?.path ?? '');
  return (
    <Show when={comment()}>
      {(now) => (
        <DraftCard
          comment={now()}
          lines={
            now().replyTo === null
              ? listLinesBetween(file(), now().side, now().startLine, now().line)
              : []
          }
          starts={now().replyTo === null ? listPossibleStarts(file(), now().side, now().line) : []}
          misplaced={
            props.at === null && now().replyTo === null
              ? `The line of this comment has changed. It was: ${now().quote.slice(0, 200)}`
              : null
          }
          change={(change) => props.review.change(props.id, change)}
          remove={() => props.review.remove(props.id)}
          onAdd={() => props.acts.onDone(props.at)}
          sendNow={
            props.acts.sendNow &&
            (async () => {
              const one = comment();
              return one ? ((await props.acts.sendNow?.(one)) ?? false) : false;
            })
          }
        />
      )}
    </Show>
  );
}
