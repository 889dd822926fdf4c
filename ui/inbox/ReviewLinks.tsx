import { For } from 'solid-js';
import { Icon } from '../shell/Icon.tsx';
import { jobHash } from '../shell/router.ts';
import type { AskProps } from './askProps.ts';

/** A job that waits for a review or the merge of its pull requests: where they are reviewed. */
export function ReviewLinks(props: Pick<AskProps, 'job'>) {
  const open = () => props.job.prMappings.filter(({ state }) => state === 'open');
  return (
    <>
      <h2 class="question">Waits for a review or the merge</h2>
      <div class="decision-bar row">
        <For each={open()}>
          {({ prId, repo, number }, at) => (
            <a
              class="button"
              classList={{ primary: at() === 0 }}
              href={jobHash(props.job.id, 'changes', prId)}
            >
              <Icon name="merge" /> Review{' '}
              <bdi>
                {repo}#{number}
              </bdi>
            </a>
          )}
        </For>
      </div>
    </>
  );
}
