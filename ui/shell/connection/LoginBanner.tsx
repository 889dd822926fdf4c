import { createSignal, Show } from 'solid-js';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../controls/Icon.tsx';
import { parseLoginCode, logIn } from './login.ts';
import { useStore } from '../useStore.ts';

/** Reports that this browser is not logged in; the page stays as it is. */
export function LoginBanner() {
  const { shell } = useDashboard();
  const needed = useStore(shell, (context) => context.loginNeeded);
  const [problem, setProblem] = createSignal('');

  async function submit(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const code = parseLoginCode(String(new FormData(event.currentTarget).get('link')));
    if (code === null) setProblem('This is not a link from `svc open`.');
    else if (await logIn(code).catch(() => false)) shell.trigger.loggedIn();
    else setProblem('This link has been used or has expired. Run `svc open` for a new one.');
  }

  return (
    <div role="status" class="login-notice">
      <Show when={needed()}>
        <div class="login-needed">
          <Icon name="warn" />
          <p>
            <strong>This browser is not logged in.</strong> Run <code>svc open</code> in a terminal.
            The page then continues automatically and keeps what you typed.
          </p>
          <form class="row" onSubmit={(event) => void submit(event)}>
            <label class="visually-hidden" for="login-link">
              Link from svc open
            </label>
            <input
              id="login-link"
              name="link"
              required
              autocomplete="off"
              placeholder="Or paste the link it prints"
            />
            <button type="submit">Log in</button>
          </form>
          <Show when={problem()}>{(says) => <p>{says()}</p>}</Show>
        </div>
      </Show>
    </div>
  );
}
