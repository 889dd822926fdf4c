import { createSignal, For, Match, Show, Switch } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { SetUpReply } from '../../src/contract/schema/runner/setUpSteps.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { FirstJob } from './FirstJob.tsx';
import { FIRST_JOB, findNextSetUpStep, pickShownStep, toSetUpHash } from './setUpSteps.ts';
import { StepForm } from './StepForm.tsx';
import './setup.css';

const STATES = { open: '', saved: 'set up', skipped: 'skipped' } as const;

/** The setup wizard: one step at a time, each answer saved at once. */
export function SetUpPage(props: { step: string | undefined }) {
  const { client } = useDashboard();
  const [view, { refetch, mutate }] = createReading(() => client.setUp());
  const [notes, setNotes] = createSignal<readonly string[]>([]);
  const followReply = (step: string, reply: SetUpReply) => {
    mutate(reply.setUp);
    setNotes(reply.notes);
    location.hash = toSetUpHash(findNextSetUpStep(reply.setUp, step));
  };
  return (
    <div class="page set-up">
      <div class="page-head">
        <h1>Set up svc</h1>
      </div>
      <Switch fallback={<p class="muted">Looking at this machine …</p>}>
        <Match when={view.error}>
          <Problem error={view.error} retry={() => void refetch()} />
        </Match>
        <Match when={view.latest}>
          {(loadedSetUp) => {
            const getShownStep = () => pickShownStep(loadedSetUp(), props.step);
            const step = () => loadedSetUp().steps.find((one) => one.step === getShownStep());
            return (
              <>
                <p class="muted">
                  Each answer is saved immediately. You can skip a step and return to it later.
                </p>
                <nav aria-label="Steps of the setup">
                  <ol class="plain set-up-steps">
                    <For each={loadedSetUp().steps}>
                      {(one) => (
                        <li>
                          <a
                            href={toSetUpHash(one.step)}
                            aria-current={one.step === getShownStep() ? 'step' : undefined}
                          >
                            {one.title} <small>{STATES[one.state]}</small>
                          </a>
                        </li>
                      )}
                    </For>
                    <li>
                      <a
                        href={toSetUpHash(FIRST_JOB)}
                        aria-current={getShownStep() === FIRST_JOB ? 'step' : undefined}
                      >
                        First job
                      </a>
                    </li>
                  </ol>
                </nav>
                <div role="status">
                  <For each={notes().filter((note) => note !== loadedSetUp().caps)}>
                    {(note) => <p class="notice">{note}</p>}
                  </For>
                </div>
                <Show
                  when={step()}
                  keyed
                  fallback={<FirstJob view={loadedSetUp()} onChanged={(now) => mutate(now)} />}
                >
                  {(one) => (
                    <StepForm step={one} onAnswered={(reply) => followReply(one.step, reply)} />
                  )}
                </Show>
                <p class="muted caps">
                  {loadedSetUp().caps}
                  {loadedSetUp().newCaps ? ' The first answer sets these limits.' : ''}{' '}
                  <a href="#/budgets">Budgets</a>
                </p>
                <Show when={loadedSetUp().restart.length > 0}>
                  <p class="notice">
                    Restart the runner to apply: {loadedSetUp().restart.join(', ')}.
                  </p>
                </Show>
              </>
            );
          }}
        </Match>
      </Switch>
    </div>
  );
}
