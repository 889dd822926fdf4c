import { createSignal, For, Show } from 'solid-js';
import type { Dispatch } from '../../src/contract/schema/cloud/dispatch.ts';
import { formatDateTime, formatJobTitle, formatMinuteWithDay } from '../jobs/jobText.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { useStore } from '../shell/useStore.ts';
import { createTeamReading } from './createTeamReading.ts';
import { describeReason, STATE_TEXT } from './dispatchText.ts';
import { includesRole } from './roles.ts';
import type { TeamParts } from './teamParts.ts';
import { HeadButton } from '../shell/controls/HeadButton.tsx';

/** Between two looks, ms: a runner may take one at any time. */
const LOOK_MS = 3_000;
const LATEST = 20;

type DispatchQuestion = { dispatch: Dispatch; action: 'cancel' | 'give-up' };

/** Jobs on their way to a runner, why each one waits and since when; below them the latest that came to an end. */
export function DispatchesPage(props: TeamParts & { opened: string | null }) {
  const { api, store } = props;
  const me = useStore(store, (context) => context.me);
  const role = useStore(store, (context) => context.surface.role);
  const [question, setQuestion] = createSignal<DispatchQuestion | null>(null);
  const [reading, readAgain] = createTeamReading(async () => {
    const [waitingDispatches, endedDispatches] = await Promise.all([
      api.get<Dispatch[]>('dispatches?state=waiting,sent&limit=500'),
      api.get<Dispatch[]>(`dispatches?state=placed,refused,expired,cancelled&limit=${LATEST}`),
    ]);
    return { waiting: waitingDispatches, ended: endedDispatches };
  }, LOOK_MS);
  const isMine = ({ createdBy }: Dispatch) => createdBy.userId === me().userId;
  const isAdmin = () => includesRole(role(), 'admin');
  const listActions = (dispatch: Dispatch): DispatchQuestion['action'][] => [
    ...(dispatch.state === 'waiting' &&
    (isAdmin() || (isMine(dispatch) && includesRole(role(), 'member')))
      ? ['cancel' as const]
      : []),
    ...(dispatch.state === 'sent' && isAdmin() ? ['give-up' as const] : []),
  ];
  const Rows = (rows: { label: string; dispatches: readonly Dispatch[]; none: string }) => (
    <ul class="plain team-rows" aria-label={rows.label}>
      <For each={rows.dispatches.map(({ id }) => id)} fallback={<li class="muted">{rows.none}</li>}>
        {(id) => (
          <Show when={rows.dispatches.find((one) => one.id === id)}>
            {(dispatch) => (
              <DispatchRow
                dispatch={dispatch()}
                isOpened={id === props.opened}
                actions={listActions(dispatch())}
                ask={(action) => setQuestion({ dispatch: dispatch(), action })}
              />
            )}
          </Show>
        )}
      </For>
    </ul>
  );
  return (
    <div class="page team-page">
      <div class="page-head">
        <h1>Waiting dispatches</h1>
        <HeadButton
          says="Refresh"
          icon="redo"
          disabled={reading.loading}
          onClick={() => void readAgain()}
        />
      </div>
      <ReadingView reading={reading} retry={readAgain}>
        <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
          {(lists) => (
            <>
              <Rows
                label="On their way"
                dispatches={lists().waiting}
                none="Nothing waits: every job has a runner."
              />
              <section class="section" aria-labelledby="latest-dispatches">
                <h2 id="latest-dispatches">Latest</h2>
                <Rows label="Latest" dispatches={lists().ended} none="No dispatch has ended yet." />
              </section>
            </>
          )}
        </Show>
      </ReadingView>
      <Show when={question()} keyed>
        {({ dispatch, action }) => (
          <EndDispatch
            {...props}
            dispatch={dispatch}
            action={action}
            close={() => setQuestion(null)}
            onEnd={() => void readAgain()}
          />
        )}
      </Show>
    </div>
  );
}

function DispatchRow(props: {
  dispatch: Dispatch;
  isOpened: boolean;
  actions: readonly DispatchQuestion['action'][];
  ask: (action: DispatchQuestion['action']) => void;
}) {
  const title = () =>
    formatJobTitle({ id: props.dispatch.id, description: props.dispatch.description });
  const isWaiting = () => props.dispatch.state === 'waiting' || props.dispatch.state === 'sent';
  return (
    <li
      class="team-row"
      classList={{ opened: props.isOpened }}
      aria-current={props.isOpened ? 'true' : undefined}
    >
      <p class="team-row-head">
        <span class={`pill ${STATE_TEXT[props.dispatch.state].tone}`}>
          {STATE_TEXT[props.dispatch.state].says}
        </span>
        <strong dir="auto">
          <Show when={props.dispatch.jobId} fallback={title()}>
            {(jobId) => <a href={toJobHash(jobId())}>{title()}</a>}
          </Show>
        </strong>
        <span class="grow" />
        <For each={props.actions}>
          {(action) => (
            <button type="button" class="quiet danger" onClick={() => props.ask(action)}>
              {action === 'cancel' ? 'Cancel …' : 'Give up …'}
            </button>
          )}
        </For>
      </p>
      <Show when={isWaiting() || props.dispatch.state === 'refused'}>
        <p>
          {describeReason(props.dispatch)}{' '}
          <Show when={isWaiting()}>
            <small title={formatDateTime(props.dispatch.since)}>
              Since {formatMinuteWithDay(props.dispatch.since, nowForAges())}.
            </small>
          </Show>
        </p>
      </Show>
      <Show when={props.dispatch.refusal}>
        {(refusal) => (
          <p class="muted" dir="auto">
            <bdi>{refusal().runnerName}</bdi> refused it: {refusal().detail}
          </p>
        )}
      </Show>
      <p class="dispatch-facts muted">
        <span>
          by <bdi>{props.dispatch.createdBy.name}</bdi>
        </span>
        <time datetime={props.dispatch.createdAt} title={formatDateTime(props.dispatch.createdAt)}>
          created {formatMinuteWithDay(props.dispatch.createdAt, nowForAges())}
        </time>
        <Show when={props.dispatch.repoSlug}>{(repo) => <bdi>{repo()}</bdi>}</Show>
        <Show when={props.dispatch.labels.length > 0}>
          <span>needs {props.dispatch.labels.join(', ')}</span>
        </Show>
        <Show when={props.dispatch.runner}>
          {(runner) => (
            <span>
              {props.dispatch.state === 'placed' ? 'on' : 'sent to'} <bdi>{runner().name}</bdi>
            </span>
          )}
        </Show>
      </p>
    </li>
  );
}

/** Asks before a dispatch ends, and says what that means: a job that was sent may exist. */
function EndDispatch(
  props: TeamParts & DispatchQuestion & { close: () => void; onEnd: () => void },
) {
  const { run } = useDashboard();
  const { dispatch, action } = props;
  const isCancel = action === 'cancel';
  const send = () =>
    run(isCancel ? 'The dispatch was cancelled.' : 'The dispatch was given up.', async () => {
      await props.api.send('POST', `dispatches/${dispatch.id}/${action}`);
      props.onEnd();
    });
  return (
    <AskDialog
      title={isCancel ? 'Cancel this dispatch?' : 'Give this dispatch up?'}
      says={isCancel ? 'Cancel the dispatch' : 'Give up'}
      keep={isCancel ? 'Keep it' : 'Keep waiting'}
      danger
      close={props.close}
      send={send}
    >
      <p dir="auto">{formatJobTitle({ id: dispatch.id, description: dispatch.description })}</p>
      <p>
        {isCancel
          ? 'It does not wait for a runner any longer. No job was made for it.'
          : `It was sent to ${dispatch.runner?.name ?? 'a runner'}, which has not answered. The job may exist there: look at the list of jobs once the runner is back.`}
      </p>
    </AskDialog>
  );
}
