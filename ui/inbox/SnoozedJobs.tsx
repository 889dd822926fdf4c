import { createSignal, For, Show } from 'solid-js';
import { formatDateTime, formatJobTitle, formatMinuteWithDay } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { toInboxHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { describeAsk } from './inboxItems.ts';

/** Most that are listed. */
const SHOWN = 100;

/** What people have put off, folded below what waits; read once it is opened. */
export function SnoozedJobs() {
  const { client, jobs, run } = useDashboard();
  const counts = useStore(jobs, (context) => context.counts);
  const changedJobs = useStore(jobs, (context) => context.changed);
  const count = () => counts()?.needs.snoozed ?? 0;
  const [isOpen, setIsOpen] = createSignal(false);
  const [reading, { refetch }] = createReading(
    // Read again whenever one may have begun, ended or moved.
    () => isOpen() && { count: count(), moved: changedJobs().filter(({ snoozed }) => snoozed) },
    () => client.jobs({ needs: 'snoozed', sort: 'since', limit: SHOWN }),
  );
  const wake = async (id: string) => {
    await run('It needs you again.', (client) => client.unsnooze(id));
    await refetch();
  };
  return (
    <Show when={count() > 0}>
      <details class="snoozed" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          Snoozed <small>{count()}</small>
        </summary>
        <Show when={reading.error}>
          {(error) => <Problem error={error()} retry={() => void refetch()} />}
        </Show>
        <ul class="plain">
          <For each={reading.latest?.jobs ?? []}>
            {(job) => (
              <Show when={job.snoozed}>
                {(snooze) => (
                  <li class="row">
                    <a class="grow" href={toInboxHash(job.id)}>
                      <bdi>{formatJobTitle(job)}</bdi>
                      <small title={formatDateTime(snooze().until)}>
                        {describeAsk(snooze().ask, job.parked)}, until{' '}
                        {formatMinuteWithDay(snooze().until, nowForAges())}
                      </small>
                    </a>
                    <IfOffered to="unsnooze">
                      <button type="button" class="quiet" onClick={() => void wake(job.id)}>
                        Wake
                      </button>
                    </IfOffered>
                  </li>
                )}
              </Show>
            )}
          </For>
        </ul>
      </details>
    </Show>
  );
}
