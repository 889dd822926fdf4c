import { useDashboard } from '../../shell/dashboard.ts';
import { createMemo, createSignal, Show } from 'solid-js';
import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import type { JobPullRequest } from '../../../src/contract/schema/forge/review.ts';
import { Problem } from '../../shell/problems/Problem.tsx';
import { useJob } from '../page/jobView.ts';
import { Conflicts } from './Conflicts.tsx';
import { Conversation } from './Conversation.tsx';
import { toLinePlace, type DiffFile, type DiffLine } from './diff/diffFile.ts';
import { useDiffLook } from './useDiffLook.ts';
import { FileList } from './files/FileList.tsx';
import type { FilesReview } from './files/filesReview.ts';
import { createFilesView } from './files/filesView.ts';
import { FileTree } from './files/FileTree.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { buildPictureUrls } from './files/Pictures.tsx';
import { createPullRequest } from './pullRequest.ts';
import { PullRequestHead } from './PullRequestHead.tsx';
import { FinishReview } from './review/FinishReview.tsx';
import { readLineQuote } from './review/reviewDraft.ts';
import { LineComments, OtherComments } from './review/LineComments.tsx';
import { ReviewBar } from './ReviewBar.tsx';
import { createReviewActs } from './reviewActs.ts';
import { useReviewKeys } from './useReviewKeys.ts';
import { createPullRequestReview, type PullRequestReview } from './createPullRequestReview.ts';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';
import { Icon } from '../../shell/controls/Icon.tsx';
import { canMerge, describeChecks, shortenCommit } from './pullRequestFacts.ts';

function ApproveDialog(props: {
  detail: JobPullRequest;
  review: PullRequestReview;
  head: string;
  close: () => void;
  send: () => Promise<boolean>;
}) {
  const files = () => props.review.files();
  const countViewed = () => files().filter(({ hash }) => props.review.viewed.has(hash)).length;
  return (
    <AskDialog
      title={`Approve ${props.detail.repo}#${props.detail.number} in svc?`}
      says="Approve in svc"
      close={props.close}
      send={props.send}
    >
      <dl class="facts">
        <dt>Commit</dt>
        <dd>
          <code>{shortenCommit(props.head)}</code>
        </dd>
        <dt>Files</dt>
        <dd>
          viewed {countViewed()} of {files().length}
        </dd>
        <dt>Checks</dt>
        <dd>{describeChecks(props.detail)}</dd>
      </dl>
      <p>
        svc keeps the approval, and its agent may merge exactly this commit where its workflow
        allows merges. Nothing is sent to {props.detail.forge}. A new commit voids it.
      </p>
    </AskDialog>
  );
}

export function PullRequestView(props: { pr: PrMapping }) {
  const { job } = useJob();
  const { offers } = useDashboard();
  const open = createPullRequest(props.pr);
  const review = createPullRequestReview(open);
  const look = useDiffLook();
  const view = createFilesView(review.files, look, review.viewed);
  const [dialog, setDialog] = createSignal<'finish' | 'approve' | 'merge' | null>(null);
  const acts = createReviewActs({ open, review, view });

  const begin = (file: DiffFile, lines: readonly DiffLine[]) => {
    const last = lines.at(-1);
    const place = last && toLinePlace(last);
    const first = lines[0];
    if (!place || !first) return;
    const number = place.side === 'before' ? first.before : first.after;
    review.begin({
      path: file.path,
      ...place,
      startLine: number ?? place.line,
      quote: readLineQuote(last),
      replyTo: null,
    });
  };
  const filesReview: FilesReview = {
    hasComments: ({ file, line }) =>
      (review.threadsOf(file)?.byLine.has(line) ?? false) ||
      (review.draftsOf(file)?.byLine.has(line) ?? false),
    comments: (at) => <LineComments at={at} review={review} acts={acts.comments} />,
    hasOthers: (file) =>
      (review.threadsOf(file)?.elsewhere.length ?? 0) +
        (review.draftsOf(file)?.elsewhere.length ?? 0) >
      0,
    others: (file) => <OtherComments file={file} review={review} acts={acts.comments} />,
    comment: (file, lines) => {
      if (open.takesReviews()) begin(file, lines);
    },
    pictures: (file) =>
      buildPictureUrls(file, { job: job().id, pr: props.pr.prId, head: open.head() }),
    isViewed: (file) => review.viewed.has(file.hash),
    setViewed: (file, viewed) => {
      review.viewed.set(file.hash, viewed);
      view.setOpen(file, !viewed);
    },
  };
  const markViewed = () => {
    const file = view.currentFile();
    if (!file) return;
    filesReview.setViewed(file, true);
    view.moveFile(1);
  };
  const finish = createMemo(() =>
    open.takesReviews() && open.detail() !== null && open.head() !== null
      ? () => setDialog('finish')
      : null,
  );
  const isMergeable = () => {
    const detail = open.detail();
    return detail !== null && canMerge(detail);
  };
  const actions = () => {
    if (finish() === null) return [];
    const hasApproved = open
      .detail()
      ?.svcApprovals.some(({ current, person }) => current && person === 'developer');
    return [
      {
        says: hasApproved ? 'Approved in svc' : 'Approve in svc',
        disabled: hasApproved === true || open.isOutdated(),
        act: () => setDialog('approve'),
      },
      ...(props.pr.forge === 'local' && offers('mergePullRequest')
        ? [
            {
              says: 'Merge …',
              disabled: !isMergeable() || open.isOutdated(),
              act: () => setDialog('merge'),
            },
          ]
        : []),
    ];
  };
  useReviewKeys({
    view,
    review,
    finish,
    comment: () => {
      const at = view.cursor();
      if (at && open.takesReviews()) begin(at.file, view.rangeTo(at));
    },
    toggleSplit: look.canSplit() ? () => look.setSplit(!look.split()) : null,
    markViewed,
  });

  return (
    <>
      <PullRequestHead open={open} />
      <div class="review">
        <Show when={open.diff()}>
          <ReviewBar
            review={review}
            split={look.split()}
            canSplit={look.canSplit()}
            setSplit={look.setSplit}
            toggleTree={look.toggleTree}
            isTreeOpen={look.isTreeOpen()}
            finish={finish()}
            actions={actions()}
          />
        </Show>
        <Show when={open.problem()}>
          {(error) => <Problem error={error()} retry={() => void open.readChanges()} />}
        </Show>
        <Show when={open.isOutdated()}>
          <p class="notice-line announced" role="status">
            <span>The branch has new commits. What you see is the state before them.</span>
            <button type="button" onClick={() => void open.readChanges()}>
              Show the new changes
            </button>
          </p>
        </Show>
        <Show when={open.takesReviews() && open.detail()}>
          {(detail) => <Conflicts detail={detail()} jobId={job().id} send={acts.message} />}
        </Show>
        <Show when={open.takesReviews() && open.detail()?.mergeRefusal}>
          {(why) => (
            <p class="notice-line" role="status">
              <Icon name="warn" />
              <span dir="auto">This cannot be merged here now. {why()}</span>
            </p>
          )}
        </Show>
        <Conversation
          open={open}
          review={review}
          acts={acts.comments}
          jobId={job().id}
          comment={open.takesReviews() ? acts.commentOnAll : null}
        />
        <Show
          when={open.diff()}
          fallback={
            <Show when={!open.problem()}>
              <p class="muted">Loading the changes …</p>
            </Show>
          }
        >
          {(diff) => (
            <>
              <Show when={diff().rest}>
                {(why) => (
                  <p class="notice-line" role="status">
                    Not all changes are shown. {why()}
                  </p>
                )}
              </Show>
              <div class="review-columns" classList={{ 'without-tree': !look.isTreeOpen() }}>
                <Show when={look.isTreeOpen()}>
                  <FileTree
                    files={diff().files}
                    current={view.currentFile()}
                    isViewed={filesReview.isViewed}
                    comments={review.countAt}
                    show={(file) => {
                      if (look.isNarrow()) look.toggleTree();
                      view.showFile(file);
                    }}
                  />
                </Show>
                <Show
                  when={diff().files.length > 0}
                  fallback={<p class="muted">The branch changes no file.</p>}
                >
                  <FileList view={view} review={filesReview} />
                </Show>
              </div>
            </>
          )}
        </Show>
      </div>
      <Show when={dialog() === 'finish' && open.detail()}>
        {(detail) => (
          <FinishReview
            detail={detail()}
            review={review}
            close={() => setDialog(null)}
            send={acts.send}
          />
        )}
      </Show>
      <Show when={dialog() === 'approve' && toHeadDetail(open.detail(), open.head())}>
        {(facts) => (
          <ApproveDialog
            detail={facts().detail}
            head={facts().head}
            review={review}
            close={() => setDialog(null)}
            send={acts.approveInSvc}
          />
        )}
      </Show>
      <Show when={dialog() === 'merge' && toHeadDetail(open.detail(), open.head())}>
        {(facts) => (
          <MergeDialog
            detail={facts().detail}
            head={facts().head}
            review={review}
            close={() => setDialog(null)}
            send={acts.merge}
          />
        )}
      </Show>
    </>
  );
}

const toHeadDetail = (detail: JobPullRequest | null, head: string | null) =>
  detail && head !== null ? { detail, head } : null;
