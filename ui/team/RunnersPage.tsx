import { createSignal, For, Show } from 'solid-js';
import type { TeamHome } from '../../src/contract/schema/cloud/home.ts';
import type { TeamJob } from '../../src/contract/schema/cloud/teamJob.ts';
import type { TeamRunner } from '../../src/contract/schema/cloud/teamRunner.ts';
import { formatDateTime, formatJobTitle, formatMinuteWithDay } from '../jobs/jobText.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { useStore } from '../shell/useStore.ts';
import { CopyLine } from './CopyLine.tsx';
import { createTeamReading } from './createTeamReading.ts';
import { PairMachine } from './PairMachine.tsx';
import { HomeFacts } from './HomeFacts.tsx';
import { includesRole } from './roles.ts';
import { ACCEPT_TEXT, describeRunner, describeSlots, listMachineCommands } from './runnerText.ts';
import type { TeamParts } from './teamParts.ts';
import { HeadButton } from '../shell/controls/HeadButton.tsx';

/** Between two looks at what the runners do, ms. */
const LOOK_MS = 5_000;
/** Newest jobs in which those at work are looked for. */
const LISTED = 200;

const isAtWork = ({ ended, parked, status }: TeamJob): boolean =>
  !ended && parked === null && status !== 'queued';

/** The machines of a team: how each one is, what it runs, and how another one is paired. */
export function RunnersPage(props: TeamParts) {
  const { api, store, refreshRunners } = props;
  const { connection } = useDashboard();
  const runners = useStore(store, (context) => context.runners);
  const me = useStore(store, (context) => context.me);
  const role = useStore(store, (context) => context.surface.role);
  const [showsRevoked, setShowsRevoked] = createSignal(false);
  const [runnerToRevoke, setRunnerToRevoke] = createSignal<TeamRunner | null>(null);
  const [atWork, lookAgain] = createTeamReading(async () => {
    const [jobs, { homes }] = await Promise.all([
      api.get<TeamJob[]>(`jobs?limit=${LISTED}`),
      api.get<{ homes: TeamHome[] }>('homes'),
      refreshRunners().catch((error: unknown) => connection.report(error)),
    ]);
    return { jobs: jobs.filter(isAtWork), homes };
  }, LOOK_MS);
  const countRevoked = () => runners().filter(({ revokedAt }) => revokedAt !== null).length;
  const visibleRunners = () =>
    runners().filter(({ revokedAt }) => showsRevoked() || revokedAt === null);
  const mayRevoke = ({ owner, revokedAt }: TeamRunner) =>
    revokedAt === null && (owner?.userId === me().userId || includesRole(role(), 'admin'));
  const mayDecide = (runner: TeamRunner) => includesRole(role(), 'member') && mayRevoke(runner);
  return (
    <div class="page team-page">
      <div class="page-head">
        <h1>Runners</h1>
        <HeadButton
          says="Refresh"
          icon="redo"
          disabled={atWork.loading}
          onClick={() => void lookAgain()}
        />
        <Show when={countRevoked() > 0}>
          <label class="row">
            <input
              type="checkbox"
              checked={showsRevoked()}
              onChange={({ currentTarget }) => setShowsRevoked(currentTarget.checked)}
            />
            Show revoked
          </label>
        </Show>
      </div>
      <ul class="plain team-rows" aria-label="Runners">
        <For
          each={visibleRunners().map(({ id }) => id)}
          fallback={
            <li class="muted">No runner yet. Pair a machine below: jobs of the team run on it.</li>
          }
        >
          {(id) => (
            <Show when={visibleRunners().find((runner) => runner.id === id)}>
              {(runner) => (
                <RunnerRow
                  runner={runner()}
                  jobs={(atWork.latest?.jobs ?? []).filter((job) => job.runner.id === id)}
                  home={atWork.latest?.homes.find((home) => home.runner.id === id) ?? null}
                  mayDecide={mayDecide(runner())}
                  api={api}
                  onChange={() => void lookAgain()}
                  isMine={runner().owner?.userId === me().userId}
                  revoke={mayRevoke(runner()) ? () => setRunnerToRevoke(runner()) : null}
                />
              )}
            </Show>
          )}
        </For>
      </ul>
      <Show when={includesRole(role(), 'member')}>
        <PairMachine {...props} isAdmin={includesRole(role(), 'admin')} />
      </Show>
      <section class="section stack" aria-labelledby="on-the-machine">
        <h2 id="on-the-machine">Change a runner</h2>
        <p class="muted">
          Name, labels and whose jobs it takes belong to the machine. Run these there; they take
          effect immediately.
        </p>
        <For each={listMachineCommands()}>
          {([says, command]) => (
            <div class="field">
              <span class="label">{says}</span>
              <CopyLine text={command} label={`Copy the command: ${says}`} />
            </div>
          )}
        </For>
      </section>
      <Show when={runnerToRevoke()}>
        {(runner) => (
          <RevokeRunner
            {...props}
            runner={runner()}
            close={() => setRunnerToRevoke(null)}
            onRevoke={() => void lookAgain()}
          />
        )}
      </Show>
    </div>
  );
}

function RunnerRow(props: {
  runner: TeamRunner;
  jobs: readonly TeamJob[];
  /** null = the control plane has no log of it. */
  home: TeamHome | null;
  mayDecide: boolean;
  api: TeamParts['api'];
  onChange: () => void;
  isMine: boolean;
  revoke: (() => void) | null;
}) {
  const state = () => describeRunner(props.runner);
  const since = () =>
    props.runner.revokedAt ?? props.runner.connectedSince ?? props.runner.awaySince;
  return (
    <li class="team-row" data-runner={props.runner.id}>
      <p class="team-row-head">
        <strong>
          <bdi>{props.runner.name}</bdi>
        </strong>
        <span class={`pill ${state().tone}`}>{state().says}</span>
        <Show when={since()}>
          {(at) => (
            <small title={formatDateTime(at())}>
              since {formatMinuteWithDay(at(), nowForAges())}
            </small>
          )}
        </Show>
        <span class="grow" />
        <Show when={props.revoke}>
          {(revoke) => (
            <button type="button" class="quiet danger" onClick={() => revoke()()}>
              Revoke …
            </button>
          )}
        </Show>
      </p>
      <dl class="runner-facts">
        <dt>Owner</dt>
        <dd>
          <bdi>{props.runner.owner?.name ?? 'The team'}</bdi>
          {props.isMine ? ' (you)' : ''}
        </dd>
        <dt>Takes</dt>
        <dd>{ACCEPT_TEXT[props.runner.accept]}</dd>
        <Show when={describeSlots(props.runner)}>
          {(text) => (
            <>
              <dt>Slots</dt>
              <dd>{text()}</dd>
            </>
          )}
        </Show>
        <Show when={props.runner.labels.length > 0}>
          <dt>Labels</dt>
          <dd class="row">
            <For each={props.runner.labels}>
              {(label) => (
                <span class="pill literal">
                  <bdi>{label}</bdi>
                </span>
              )}
            </For>
          </dd>
        </Show>
        <Show when={props.runner.version}>
          {(version) => (
            <>
              <dt>Version</dt>
              <dd>{version()}</dd>
            </>
          )}
        </Show>
        <Show when={props.home}>
          {(home) => (
            <HomeFacts
              api={props.api}
              home={home()}
              mayDecide={props.mayDecide}
              onChange={props.onChange}
            />
          )}
        </Show>
        <Show when={props.jobs.length > 0}>
          <dt>Runs</dt>
          <dd>
            <ul class="plain">
              <For each={props.jobs}>
                {(job) => (
                  <li>
                    <a href={toJobHash(job.id)} dir="auto">
                      {formatJobTitle(job)}
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </dd>
        </Show>
      </dl>
    </li>
  );
}

function RevokeRunner(
  props: TeamParts & { runner: TeamRunner; close: () => void; onRevoke: () => void },
) {
  const { run } = useDashboard();
  const { id, name } = props.runner;
  const send = () =>
    run(`${name} was revoked.`, async () => {
      await props.api.send('DELETE', `runners/${id}`);
      props.onRevoke();
    });
  return (
    <AskDialog title={`Revoke ${name}?`} says="Revoke" danger close={props.close} send={send}>
      <p>
        Its connection is closed at once, and its token no longer works. Its jobs stay on the
        machine and continue there. To bring it back, pair it again.
      </p>
    </AskDialog>
  );
}
