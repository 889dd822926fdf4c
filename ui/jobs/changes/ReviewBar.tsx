import { For, Show } from 'solid-js';
import { Icon } from '../../shell/controls/Icon.tsx';
import type { PullRequestReview } from './createPullRequestReview.ts';

export function ReviewBar(props: {
  review: PullRequestReview;
  split: boolean;
  /** False where the window is too narrow for two sides. */
  canSplit: boolean;
  setSplit: (split: boolean) => void;
  toggleTree: () => void;
  isTreeOpen: boolean;
  /** null = it takes no review now. */
  finish: (() => void) | null;
  /** Further things to do, none of them louder than the review. */
  actions: readonly { says: string; disabled: boolean; act: () => void }[];
}) {
  const files = () => props.review.files();
  const countViewed = () => files().filter(({ hash }) => props.review.viewed.has(hash)).length;
  const sum = (of: 'added' | 'removed') => files().reduce((all, file) => all + file[of], 0);
  return (
    <div class="review-bar">
      <button
        type="button"
        class="quiet"
        aria-expanded={props.isTreeOpen}
        onClick={() => props.toggleTree()}
      >
        <Icon name="list" /> Files
      </button>
      <p class="review-progress">
        <span>
          {files().length} {files().length === 1 ? 'file' : 'files'}{' '}
          <span class="plus">+{sum('added')}</span> <span class="minus">−{sum('removed')}</span>
        </span>
        <span class="muted">
          {countViewed()} of {files().length} viewed
        </span>
      </p>
      <Show when={props.canSplit}>
        <div class="choice">
          <button type="button" aria-pressed={!props.split} onClick={() => props.setSplit(false)}>
            Unified
          </button>
          <button type="button" aria-pressed={props.split} onClick={() => props.setSplit(true)}>
            Side by side
          </button>
        </div>
      </Show>
      <div class="row review-actions">
        <For each={props.actions}>
          {({ says, disabled, act }) => (
            <button type="button" disabled={disabled} onClick={act}>
              {says}
            </button>
          )}
        </For>
        <Show when={props.finish}>
          {(finish) => (
            <button type="button" class="primary" onClick={() => finish()()}>
              Finish review
              <Show when={props.review.count() > 0}> ({props.review.count()})</Show>
            </button>
          )}
        </Show>
      </div>
    </div>
  );
}
