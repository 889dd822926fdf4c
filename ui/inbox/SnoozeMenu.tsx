import { formatTimeWithDay } from '../jobs/jobText.ts';
import { ActionMenu } from '../shell/controls/ActionMenu.tsx';
import { useDashboard, type Dashboard } from '../shell/dashboard.ts';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { useStore } from '../shell/useStore.ts';
import { listSnoozeTimes } from './snoozeTimes.ts';

/** Puts off what a job needs a person for, until a time or until the job changes. */
export function SnoozeMenu(props: { jobId: string; command: Dashboard['run'] }) {
  const { offers, shell } = useDashboard();
  const isLost = useStore(shell, (context) => context.lostSince !== null);
  let box: HTMLSpanElement | undefined;
  const snooze = (at: number) => {
    const { jobId } = props;
    const until = new Date(at).toISOString();
    void props.command(
      `Snoozed until ${formatTimeWithDay(at, Date.now()).slice(0, -3)}.`,
      (client) => client.snooze(jobId, { until }),
      { says: 'It needs you again.', send: (client) => client.unsnooze(jobId) },
    );
  };
  usePageKeys(() =>
    offers('snooze') && !isLost()
      ? [{ keys: ['h'], says: 'Snooze', does: { do: () => box?.querySelector('button')?.click() } }]
      : [],
  );
  return (
    <span class="snooze-menu" ref={box}>
      <ActionMenu
        label="Snooze"
        icon="clock"
        actions={
          offers('snooze')
            ? listSnoozeTimes(Date.now()).map(({ says, at }) => ({
                says,
                icon: 'clock',
                disabled: isLost(),
                does: { run: () => snooze(at) },
              }))
            : []
        }
      />
    </span>
  );
}
