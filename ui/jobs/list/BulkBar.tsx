import { formatCount } from '../../../src/base/text/formatCount.ts';
import { createSignal, For, Show } from 'solid-js';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon, type IconName } from '../../shell/controls/Icon.tsx';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { toJobHash, toRouteHash } from '../../shell/navigation/router.ts';
import { explainProblem } from '../../shell/problems/explainProblem.ts';
import { formatJobTitle } from '../jobText.ts';
import {
  type BulkAction,
  type BulkResult,
  describeBulkCancel,
  canRunBulkAction,
  runBulk,
} from './bulkActions.ts';
import { toJobsCsv, downloadText, toJobsJson } from './exportJobs.ts';
import type { Selection } from './selection.ts';
import './bulkBar.css';

interface Action {
  action: BulkAction;
  icon: IconName;
  says: string;
  /** The report, after the number of jobs. */
  done: string;
  danger?: true;
}

const ACTIONS: readonly Action[] = [
  { action: 'resume', icon: 'play', says: 'Resume', done: 'resumed' },
  { action: 'rerun', icon: 'redo', says: 'Rerun the last phase of', done: 'run again' },
  { action: 'dismiss', icon: 'check', says: 'Dismiss', done: 'dismissed' },
  { action: 'cancel', icon: 'close', says: 'Cancel', done: 'cancelled', danger: true },
];

/** Titles that a confirmation lists; the others are only counted. */
const NAMED = 10;

export function BulkBar(props: { selection: Selection; total: number; selectAll: () => void }) {
  const { client, shell, connection, offers } = useDashboard();
  const [finished, setFinished] = createSignal<{ of: number; n: number } | null>(null);
  const [asking, setAsking] = createSignal<Action | null>(null);
  const [refusedJobs, setRefusedJobs] = createSignal<BulkResult['refused']>([]);
  const listTargets = (action: BulkAction) =>
    props.selection.jobs().filter((job) => canRunBulkAction(action, job));

  async function go({ action, done }: Action): Promise<boolean> {
    const jobs = listTargets(action);
    setFinished({ of: jobs.length, n: 0 });
    const result = await runBulk(client, action, jobs, (n) => setFinished({ of: jobs.length, n }));
    setFinished(null);
    setRefusedJobs(result.refused);
    for (const { error } of result.refused) connection.report(error);
    // Refused jobs stay selected.
    props.selection.set(result.done, false);
    if (result.done.length > 0)
      shell.trigger.did({
        text: `${formatCount(result.done.length, 'job')} ${done}.`,
        undo:
          action === 'dismiss'
            ? {
                says: `${formatCount(result.done.length, 'job')} brought back.`,
                send: () => runBulk(client, 'undismiss', result.done),
              }
            : undefined,
      });
    return true;
  }
  let bar: HTMLDivElement | undefined;
  usePageKeys(() => [
    { keys: ['X'], says: 'Select all jobs that match', does: { do: props.selectAll } },
    ...(props.selection.jobs().length === 0
      ? []
      : [
          {
            keys: ['r'],
            says: 'Go to the actions for the selected jobs',
            does: { do: () => bar?.querySelector<HTMLElement>('[data-act]')?.focus() },
          },
        ]),
  ]);
  /** The older one is the first. */
  const comparedHash = () => {
    const [a, b, ...more] = props.selection
      .jobs()
      .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
    return a && b && more.length === 0 && offers('timeline')
      ? toRouteHash(['compare', a.id, b.id])
      : null;
  };
  const press = (action: Action) => (action.action === 'dismiss' ? go(action) : setAsking(action));

  return (
    <Show when={props.selection.jobs().length > 0 || refusedJobs().length > 0}>
      <div class="bulk-bar" ref={bar} role="group" aria-label="Selected jobs">
        <strong role="status">
          {finished()
            ? `${finished()?.n} of ${finished()?.of} done …`
            : `${props.selection.jobs().length} selected`}
        </strong>
        <Show when={props.selection.jobs().length < props.total}>
          <button type="button" class="quiet" onClick={() => props.selectAll()}>
            Select all that match
          </button>
        </Show>
        <For each={ACTIONS}>
          {(action) => (
            <Show when={listTargets(action.action).length > 0}>
              <button
                type="button"
                data-act
                class={action.danger ? 'danger' : ''}
                disabled={finished() !== null}
                onClick={() => void press(action)}
              >
                <Icon name={action.icon} /> {action.says} {listTargets(action.action).length}
                {action.action === 'dismiss' ? '' : ' …'}
              </button>
            </Show>
          )}
        </For>
        <Show when={comparedHash()}>
          {(href) => (
            <a class="button" href={href()}>
              Compare
            </a>
          )}
        </Show>
        <ExportButtons
          name="selected-jobs"
          jobs={async () => props.selection.jobs()}
          disabled={props.selection.jobs().length === 0}
        />
        <button
          type="button"
          class="quiet"
          onClick={() => {
            props.selection.clear();
            setRefusedJobs([]);
          }}
        >
          <Icon name="close" /> Clear selection
        </button>
      </div>
      <Show when={refusedJobs().length > 0}>
        <section class="notice bulk-refused" aria-label="Refused">
          <h2>{formatCount(refusedJobs().length, 'job')} refused</h2>
          <ul class="plain">
            <For each={refusedJobs()}>
              {({ job, error }) => (
                <li>
                  <a href={toJobHash(job.id)} dir="auto">
                    {formatJobTitle(job)}
                  </a>
                  : {explainProblem(error).detail}
                </li>
              )}
            </For>
          </ul>
        </section>
      </Show>
      <Show when={asking()}>
        {(action) => (
          <AskDialog
            title={`${action().says} ${formatCount(listTargets(action().action).length, 'job')}?`}
            says={`${action().says} ${formatCount(listTargets(action().action).length, 'job')}`}
            danger={action().danger === true}
            close={() => setAsking(null)}
            send={() => go(action())}
          >
            <Facts action={action().action} jobs={listTargets(action().action)} />
          </AskDialog>
        )}
      </Show>
    </Show>
  );
}

function Facts(props: { action: BulkAction; jobs: readonly JobSummary[] }) {
  const facts = () =>
    props.action === 'cancel'
      ? describeBulkCancel(props.jobs)
      : props.action === 'rerun'
        ? ['Each job reruns its last phase in a new session.']
        : ['Each job continues where it stopped. This approves no plans.'];
  return (
    <>
      <ul class="plain">
        <For each={facts()}>{(fact) => <li>{fact}</li>}</For>
      </ul>
      <ul class="bulk-named">
        <For each={props.jobs.slice(0, NAMED)}>
          {(job) => <li dir="auto">{formatJobTitle(job)}</li>}
        </For>
        <Show when={props.jobs.length > NAMED}>
          <li>and {props.jobs.length - NAMED} more</li>
        </Show>
      </ul>
    </>
  );
}

/** Saves jobs as a file, in either format. */
export function ExportButtons(props: {
  /** Name of the file, without its ending. */
  name: string;
  jobs: () => Promise<readonly JobSummary[]>;
  disabled?: boolean;
}) {
  const { shell, connection } = useDashboard();
  const [busy, setBusy] = createSignal(false);
  const save = async (format: 'csv' | 'json') => {
    setBusy(true);
    try {
      const jobs = await props.jobs();
      if (format === 'csv') downloadText(`${props.name}.csv`, 'text/csv', toJobsCsv(jobs));
      else downloadText(`${props.name}.json`, 'application/json', toJobsJson(jobs));
    } catch (error) {
      connection.report(error);
      shell.trigger.failed({ text: 'The export failed', error });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" disabled={busy() || props.disabled} onClick={() => void save('csv')}>
        <Icon name="download" /> CSV
      </button>
      <button type="button" disabled={busy() || props.disabled} onClick={() => void save('json')}>
        <Icon name="download" /> JSON
      </button>
    </>
  );
}
