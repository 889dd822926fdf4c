import { Show } from 'solid-js';
import { Icon } from '../../shell/Icon.tsx';
import { Markdown } from '../../shell/Markdown.tsx';
import { withNames } from './diff/hiddenCharacters.ts';
import { approvalsText, checksText, shortCommit } from './facts.ts';
import { isWeb } from './isWeb.ts';
import type { OpenPullRequest } from './pullRequest.ts';
import { SetPrOpen } from './SetPrOpen.tsx';

/** What a pull request is, and the facts that a decision needs. */
export function PullRequestHead(props: { open: OpenPullRequest }) {
  const { pr } = props.open;
  const detail = () => props.open.detail();
  const state = () => detail()?.state ?? pr.state;
  return (
    <section class="pr" aria-label="Pull request">
      <div class="section-head">
        <Icon name="merge" />
        <h2>
          <bdi>{withNames(detail()?.title ?? pr.title)}</bdi>
        </h2>
        <span class={`pill ${state() === 'merged' ? 'good' : state() === 'open' ? 'working' : ''}`}>
          {state()}
        </span>
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
                    commit <code>{shortCommit(commit())}</code>
                  </span>
                )}
              </Show>
              <span>
                by <bdi>{now().author}</bdi>
              </span>
              <span>
                Checks: <bdi>{checksText(now())}</bdi>
              </span>
              <span>
                Approvals: <bdi>{approvalsText(now())}</bdi>
              </span>
            </>
          )}
        </Show>
        <Show when={pr.forge !== 'local' && isWeb(pr.url)}>
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
      <SetPrOpen open={props.open} />
      <Show when={detail()?.body.trim()}>
        {(body) => (
          <details>
            <summary>Description</summary>
            <div dir="auto">
              <Markdown text={withNames(body())} />
            </div>
          </details>
        )}
      </Show>
    </section>
  );
}
