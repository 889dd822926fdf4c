import { For, Show } from 'solid-js';
import { jobHash } from '../../shell/router.ts';
import { useJob } from '../page/jobView.ts';
import { PullRequestElsewhere } from './PullRequestElsewhere.tsx';
import { PullRequestView } from './PullRequestView.tsx';
import './changes.css';

/** The job's pull requests: one of them with its text, its comments and its diff. */
export function ChangesTab(props: { prId: string | null }) {
  const { job } = useJob();
  const shown = () =>
    job().prMappings.find(({ prId }) => prId === props.prId) ?? job().prMappings.at(-1);
  return (
    <Show
      when={shown()}
      fallback={
        <div class="empty card">
          <h2>No pull request yet</h2>
          <p>
            The agent opens one when it has something to show. Until then, follow it in the log.
          </p>
          <a class="button" href={jobHash(job().id, 'log')}>
            Read the log
          </a>
        </div>
      }
    >
      {(pr) => (
        <div class="stack">
          <Show when={job().prMappings.length > 1}>
            <nav class="pr-list row" aria-label="Pull requests">
              <For each={job().prMappings}>
                {(other) => (
                  <a
                    class="button"
                    href={jobHash(job().id, 'changes', other.prId)}
                    aria-current={other.prId === pr().prId ? 'true' : undefined}
                  >
                    {other.repo}#{other.number} <small>{other.state}</small>
                  </a>
                )}
              </For>
            </nav>
          </Show>
          <Show when={pr().prId} keyed>
            {(_) => (
              <Show when={pr().forge === 'local'} fallback={<PullRequestElsewhere pr={pr()} />}>
                <PullRequestView pr={pr()} />
              </Show>
            )}
          </Show>
        </div>
      )}
    </Show>
  );
}
