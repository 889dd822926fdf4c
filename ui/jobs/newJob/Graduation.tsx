import { createSignal, Show } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { useStore } from '../../shell/useStore.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { shouldAskToGraduate, readCoachMode, buildGraduationPatch } from './coachMode.ts';

/** Asks whether the learning phase is over, once a team has run enough jobs. */
export function Graduation() {
  const { client, connection, run, shell } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  // Once is not enough: where the runner did not answer, the question would never be asked.
  const [reading, { refetch }] = createReading(
    () => `${reconnects()}`,
    () =>
      client.config().catch((error: unknown) => {
        connection.report(error);
        return null;
      }),
  );
  const [busy, setBusy] = createSignal(false);
  const coach = () => {
    const config = reading.latest;
    if (!config) return null;
    const mode = readCoachMode(config.reply);
    return shouldAskToGraduate(mode) ? { ...mode, etag: config.etag } : null;
  };
  const answer = async (which: 'keep' | 'end', says: string, etag: string) => {
    setBusy(true);
    await run(says, (to) => to.updateConfig(buildGraduationPatch(which, Date.now()), etag));
    await refetch();
    setBusy(false);
  };
  return (
    <Show when={coach()}>
      {(mode) => (
        <section class="notice graduation" aria-labelledby="graduation">
          <p id="graduation">
            <Icon name="star" /> You have run {mode().totalRuns}{' '}
            {mode().totalRuns === 1 ? 'job' : 'jobs'}. End coach mode?
          </p>
          <details>
            <summary>What is coach mode?</summary>
            <p>
              While coach mode is on, new jobs are interactive: a person is expected to follow them.
              You can end it now; each job can still be made interactive when it is dispatched.
              Checkpoints wait for an approval either way, unless it is given in advance.
            </p>
          </details>
          <div class="row">
            <button
              type="button"
              disabled={busy()}
              onClick={() =>
                void answer(
                  'end',
                  'Coach mode is off. New jobs are no longer interactive.',
                  mode().etag,
                )
              }
            >
              End coach mode
            </button>
            <button
              type="button"
              disabled={busy()}
              onClick={() =>
                void answer(
                  'keep',
                  'Coach mode stays on. You can end it in the configuration.',
                  mode().etag,
                )
              }
            >
              Keep it on
            </button>
          </div>
        </section>
      )}
    </Show>
  );
}
