import { createEffect, createSignal, Match, on, onCleanup, onMount, Show, Switch } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { VendorLoginView } from '../../src/contract/schema/runner/vendorLogin.ts';
import { formatDateTime } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { useStore } from '../shell/useStore.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { parsePastedLogin } from './loginAnswer.ts';

const ENDED: Readonly<Record<VendorLoginView['phase'], string>> = {
  waiting: '',
  completing: 'Contacting the vendor.',
  done: 'The last login was completed: its token is stored.',
  failed: 'The last login failed.',
  expired: 'The last login was not completed in time.',
  cancelled: 'The last login was cancelled.',
};

/** The login of an executor at its vendor: begin, come back with a code, cancel; lasting tokens. */
export function PluginLogin(props: { id: string; onChange: () => void }) {
  const { client, shell, run } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const [answer, setAnswer] = createSignal('');
  const [reading, { refetch }] = createReading(
    async () => (await client.vendorLogins({ executor: props.id }))[0] ?? null,
  );
  const again = () => void refetch();
  // A restart of the runner ends a login; another tab may have completed it.
  createEffect(on(reconnects, again, { defer: true }));
  const look = () => reading.latest?.phase === 'waiting' && again();
  onMount(() => window.addEventListener('focus', look));
  onCleanup(() => window.removeEventListener('focus', look));
  const act = async (says: string, send: (to: typeof client) => Promise<unknown>) => {
    await run(says, send);
    again();
    props.onChange();
  };
  const isOpen = () =>
    reading.latest?.phase === 'waiting' || reading.latest?.phase === 'completing';
  const complete = (event: SubmitEvent, login: VendorLoginView) => {
    event.preventDefault();
    const pastedLogin = parsePastedLogin(answer());
    if (pastedLogin === null) return;
    setAnswer('');
    const state = pastedLogin.state ?? login.state ?? '';
    void act('Logged in', (to) =>
      to.completeVendorLogin({ ...pastedLogin, state, executor: props.id }),
    );
  };
  return (
    <section class="section" aria-labelledby="plugin-login">
      <h2 id="plugin-login">Login at the vendor</h2>
      <ReadingView reading={reading} retry={again}>
        <Switch>
          <Match when={isOpen() && reading.latest?.own === false}>
            <p class="notice-line">
              A login is in progress in another session, which alone can complete it.
            </p>
          </Match>
          <Match when={isOpen() && reading.latest}>
            {(login) => (
              <div class="stack">
                <Show
                  when={login().command}
                  fallback={
                    <p>
                      <a href={login().url ?? ''} target="_blank" rel="noreferrer noopener">
                        Open the page of the vendor
                      </a>{' '}
                      and log in there before {formatDateTime(login().expiresAt)}.
                    </p>
                  }
                >
                  {(command) => (
                    <p>
                      Run <code>{command()}</code> in a terminal before{' '}
                      {formatDateTime(login().expiresAt)}, log in there, and paste the token that it
                      prints.
                    </p>
                  )}
                </Show>
                <Show
                  when={login().kind === 'device'}
                  fallback={
                    <form class="stack" onSubmit={(event) => complete(event, login())}>
                      <label class="field">
                        {login().command === null
                          ? 'Code, or the address you were redirected to'
                          : 'Token'}
                        <input
                          type="password"
                          autocomplete="off"
                          spellcheck={false}
                          value={answer()}
                          onInput={({ currentTarget }) => setAnswer(currentTarget.value)}
                        />
                      </label>
                      <div class="row">
                        <button
                          type="submit"
                          class="primary"
                          disabled={
                            parsePastedLogin(answer()) === null || login().phase !== 'waiting'
                          }
                        >
                          Complete the login
                        </button>
                      </div>
                    </form>
                  }
                >
                  <p>
                    Type there:{' '}
                    <strong class="mono">{revealTurningCharacters(login().userCode ?? '')}</strong>
                  </p>
                  <button
                    type="button"
                    class="primary"
                    onClick={() =>
                      act('Vendor contacted', (to) =>
                        to.completeVendorLogin({ executor: props.id, state: login().state ?? '' }),
                      )
                    }
                  >
                    I have done that
                  </button>
                </Show>
              </div>
            )}
          </Match>
          <Match when={reading.latest}>
            {(login) => (
              <p class="muted">
                {ENDED[login().phase]} {revealTurningCharacters(login().detail)}
              </p>
            )}
          </Match>
        </Switch>
        <div class="row plugin-acts">
          <Show
            when={isOpen()}
            fallback={
              <button
                type="button"
                disabled={reading.loading}
                onClick={() =>
                  act('Login started', (to) => to.startVendorLogin({ executor: props.id }))
                }
              >
                <Icon name="unlocked" /> Log in
              </button>
            }
          >
            <button
              type="button"
              onClick={() =>
                act('Login cancelled', (to) => to.cancelVendorLogin({ executor: props.id }))
              }
            >
              Cancel the login
            </button>
          </Show>
          <button
            type="button"
            onClick={() =>
              act('The token is stored', (to) => to.generateVendorToken({ executor: props.id }))
            }
          >
            Get a long-lived token
          </button>
        </div>
        <p class="form-help">
          The token goes into the configuration file of the runner. It is not shown here.
        </p>
      </ReadingView>
    </section>
  );
}
