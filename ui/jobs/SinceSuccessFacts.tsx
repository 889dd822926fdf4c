import { createSignal, For, Show } from 'solid-js';
import type { SinceSuccess } from '../../src/contract/schema/job/sinceSuccess.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { describeSinceSuccess } from './describeSinceSuccess.ts';

/** What changed before a failure. Read once it is opened, since the runner compares files for it. */
export function SinceSuccessFacts(props: { jobId: string }) {
  const { client } = useDashboard();
  const [isOpen, setIsOpen] = createSignal(false);
  const [reading, { refetch }] = createReading(
    () => isOpen() && props.jobId,
    (id) => client.sinceSuccess(id),
  );
  return (
    <details class="since-success" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>What changed since the last success</summary>
      <Show
        when={!reading.error}
        fallback={<Problem error={reading.error} retry={() => void refetch()} />}
      >
        <Show when={reading.latest} fallback={<p class="muted">Comparing …</p>}>
          {(since) => <Facts since={since()} />}
        </Show>
      </Show>
    </details>
  );
}

function Facts(props: { since: SinceSuccess }) {
  const files = () => props.since.files?.files ?? [];
  const countRemaining = () => (props.since.files?.count ?? 0) - files().length;
  return (
    <>
      <ul>
        <For each={describeSinceSuccess(props.since, nowForAges())}>
          {(text) => <li>{text}</li>}
        </For>
      </ul>
      <ul class="plain files">
        <For each={files()}>
          {({ path, added, removed }) => (
            <li>
              <ins>+{added}</ins> <del>−{removed}</del> <bdi>{path}</bdi>
            </li>
          )}
        </For>
        <Show when={countRemaining() > 0}>
          <li>and {countRemaining()} more</li>
        </Show>
      </ul>
    </>
  );
}
