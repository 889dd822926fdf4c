import { For, Show, createSignal } from 'solid-js';
import { Icon } from '../../shell/controls/Icon.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { useJob } from '../page/jobView.ts';
import { Markdown } from '../../shell/markdown/Markdown.tsx';
import { nameHiddenCharacters } from './diff/hiddenCharacters.ts';
import { describeApprovals, describeChecks, shortenCommit, isWebUrl } from './pullRequestFacts.ts';
import type { OpenPullRequest } from './pullRequest.ts';
import { copyMarkdown } from '../../shell/controls/copyMarkdown.ts';
import { readPageAddress } from '../../shell/markdown/writeMarkdown.ts';
import { toJobHash } from '../../shell/navigation/router.ts';
import type { JobPullRequest } from '../../../src/contract/schema/forge/review.ts';
import { formatReviewMarkdown } from './formatReviewMarkdown.ts';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';

function PullRequestSwitch(props: { open: OpenPullRequest }) {
  const { job, command } = useJob();
  const { offers } = useDashboard();
  const { pr } = props.open;
  const [isAsking, setIsAsking] = createSignal(false);
  const [reason, setReason] = createSignal('');
  const state = () => props.open.detail()?.state ?? pr.state;
  const isOpen = () => state() === 'open';
  const send = async () => {
    const body = reason().trim() === '' ? {} : { reason: reason().trim() };
    const wasTaken = await command(isOpen() ? 'Closed.' : 'Opened again.', (to) =>
      isOpen()
        ? to.closePullRequest(pr.repo, pr.number, body)
        : to.reopenPullRequest(pr.repo, pr.number, body),
    );
    // Not awaited, so that the dialog closes now and not after this read.
    void props.open.readDetail();
    if (wasTaken) setReason('');
    return wasTaken;
  };
  return (
    <Show when={pr.forge === 'local' && state() !== 'merged' && offers('closePullRequest')}>
      <div class="row">
        <button type="button" onClick={() => setIsAsking(true)}>
          {isOpen() ? 'Close without a merge …' : 'Open again …'}
        </button>
      </div>
      <Show when={isAsking()}>
        <AskDialog
          title={
            isOpen() ? `Close ${pr.repo}#${pr.number}?` : `Open ${pr.repo}#${pr.number} again?`
          }
          says={isOpen() ? 'Close' : 'Open again'}
          close={() => setIsAsking(false)}
          send={send}
        >
          <p>
            {job().ended
              ? 'The job has ended and does not continue.'
              : isOpen()
                ? 'The job continues in the phase that waits for it, and its agent is asked not to open the same change again.'
                : 'If a phase is waiting, the job continues there.'}
          </p>
          <label class="stack">
            Why (optional)
            <textarea
              rows={3}
              value={reason()}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>
        </AskDialog>
      </Show>
    </Show>
  );
}

/** Names the agent for a pull request of a job: a job's id means nothing to people. */
const describePrAuthor = (author: string, jobId: string): string =>
  author === `svc:${jobId}` ? 'the agent of this job' : author;

export function PullRequestHead(props: { open: OpenPullRequest }) {
  const { pr } = props.open;
  const { job } = useJob();
  const { shell } = useDashboard();
  const detail = () => props.open.detail();
  const state = () => detail()?.state ?? pr.state;
  const share = (now: JobPullRequest) =>
    formatReviewMarkdown(now, toJobHash(job().id, 'changes', pr.prId), readPageAddress(location));
  return (
    <section class="pr" aria-label="Pull request">
      <div class="section-head">
        <Icon name="merge" />
        <h2>
          <bdi>{nameHiddenCharacters(detail()?.title ?? pr.title)}</bdi>
        </h2>
        <span class={`pill ${state() === 'merged' ? 'good' : state() === 'open' ? 'working' : ''}`}>
          {state()}
        </span>
        <Show when={detail()}>
          {(now) => (
            <button
              type="button"
              class="quiet icon-only"
              aria-label="Copy the review as Markdown"
              title="Copy the review as Markdown"
              onClick={() => void copyMarkdown(shell, `${pr.repo}-${pr.number}`, share(now()))}
            >
              <Icon name="copy" />
            </button>
          )}
        </Show>
      </div>
      <p class="muted pr-facts">
        <span>
          {pr.repo}#{pr.number}
        </span>
        <span>
          <code>{pr.head}</code> into <code>{pr.base}</code>
        </span>
        <Show when={detail()}>
          {(now) => (
            <>
              <Show when={now().headCommit}>
                {(commit) => (
                  <span>
                    commit <code>{shortenCommit(commit())}</code>
                  </span>
                )}
              </Show>
              <span>
                by <bdi>{describePrAuthor(now().author, job().id)}</bdi>
              </span>
              <span>
                Checks: <bdi>{describeChecks(now())}</bdi>
              </span>
              <span>
                Approvals: <bdi>{describeApprovals(now())}</bdi>
              </span>
            </>
          )}
        </Show>
        <Show when={pr.forge !== 'local' && isWebUrl(pr.url)}>
          <a href={pr.url} target="_blank" rel="noopener noreferrer">
            Open on {pr.forge}
          </a>
        </Show>
      </p>
      <Show when={pr.problem}>
        {(why) => (
          <p class="notice-line" role="status">
            <bdi>{why()}</bdi>
          </p>
        )}
      </Show>
      <For each={detail()?.unread}>
        {({ why }) => (
          <p class="notice-line" role="status">
            <bdi>{`Not everything was read: ${why}`}</bdi>
          </p>
        )}
      </For>
      <PullRequestSwitch open={props.open} />
      <Show when={detail()?.body.trim()}>
        {(body) => (
          <details>
            <summary>Description</summary>
            <div dir="auto">
              <Markdown text={nameHiddenCharacters(body())} />
            </div>
          </details>
        )}
      </Show>
    </section>
  );
}
