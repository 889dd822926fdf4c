import { createEffect, createMemo, createSignal, For, Show } from 'solid-js';
import { toJobHash } from '../../shell/navigation/router.ts';
import { useJob } from '../page/jobView.ts';
import { PullRequestView } from './PullRequestView.tsx';
import { runOnChange } from '../../shell/signals/runOnChange.ts';
import './changes.css';
import './files/files.css';

/** Reviews one pull request. It stays open; others that the agent opens are announced. */
export function ChangesTab(props: {
  prId: string | null;
  /** Only the pull request that is named; something else leads to the others. */
  alone?: boolean;
}) {
  const { job } = useJob();
  const all = () => job().prMappings;
  const newest = () => all().findLast(({ state }) => state === 'open') ?? all().at(-1);
  const [chosenPrId, setChosenPrId] = createSignal(props.prId ?? newest()?.prId ?? null);
  const [knownPrIds, setKnownPrIds] = createSignal<ReadonlySet<string>>(
    new Set(all().map(({ prId }) => prId)),
  );
  runOnChange(
    () => props.prId,
    (prId) => {
      if (prId === null) return;
      setChosenPrId(prId);
      setKnownPrIds((now) => new Set([...now, prId]));
    },
  );
  // Opens the first pull request of a job that had none.
  createEffect(() => {
    if (chosenPrId() !== null) return;
    setChosenPrId(newest()?.prId ?? null);
    setKnownPrIds(new Set(all().map(({ prId }) => prId)));
  });
  createEffect(() => {
    const prId = chosenPrId();
    if (prId !== null && props.prId === null && !props.alone)
      history.replaceState(null, '', toJobHash(job().id, 'changes', prId));
  });
  const shownPr = createMemo(() => all().find(({ prId }) => prId === chosenPrId()));
  const isNew = (prId: string) => !knownPrIds().has(prId);

  return (
    <Show
      when={all().length > 0}
      fallback={
        <div class="empty">
          <h2>No pull request yet</h2>
          <p>
            The agent opens one when it has something to show. Until then, follow it in the log.
          </p>
          <a class="button" href={toJobHash(job().id, 'log')}>
            Read the log
          </a>
        </div>
      }
    >
      <div class="stack changes">
        <For each={props.alone ? [] : all().filter(({ prId }) => isNew(prId))}>
          {(pr) => (
            <p class="notice-line announced" role="status">
              <span>
                The agent has opened {pr.repo}#{pr.number}: <bdi>{pr.title}</bdi>
              </span>
              <a class="button" href={toJobHash(job().id, 'changes', pr.prId)}>
                Show it
              </a>
            </p>
          )}
        </For>
        <Show when={!props.alone && all().length > 1}>
          <nav class="pr-list row" aria-label="Pull requests">
            <For each={all()}>
              {(other) => (
                <a
                  class="button"
                  href={toJobHash(job().id, 'changes', other.prId)}
                  aria-current={other.prId === chosenPrId() ? 'true' : undefined}
                >
                  {other.repo}#{other.number} <small>{other.state}</small>
                </a>
              )}
            </For>
          </nav>
        </Show>
        <Show
          when={shownPr()}
          fallback={
            <div class="empty">
              <h2>Pull request not found</h2>
              <p>This job has no pull request {chosenPrId()}. Choose one of those above.</p>
              <Show when={newest()}>
                {(pr) => (
                  <a class="button" href={toJobHash(job().id, 'changes', pr().prId)}>
                    Show the newest
                  </a>
                )}
              </Show>
            </div>
          }
        >
          {(pr) => (
            <Show when={pr().prId} keyed>
              {(_) => <PullRequestView pr={pr()} />}
            </Show>
          )}
        </Show>
      </div>
    </Show>
  );
}
