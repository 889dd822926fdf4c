import { onCleanup, Show } from 'solid-js';
import { Icon } from '../controls/Icon.tsx';
import { useDashboard } from '../dashboard.ts';
import type { Team } from '../team.ts';
import { useStore } from '../useStore.ts';

/** Reports on the page of a team that the person is logged out: the login is a page of the control plane, in another tab or here. */
export function TeamLoginBanner(props: { team: Team }) {
  const { shell } = useDashboard();
  const needsLogin = useStore(shell, (context) => context.loginNeeded);
  const look = async () => {
    if (needsLogin() && (await props.team.refresh())) shell.trigger.loggedIn();
  };
  const lookWhenVisible = () => void (document.visibilityState === 'visible' && look());
  document.addEventListener('visibilitychange', lookWhenVisible);
  onCleanup(() => document.removeEventListener('visibilitychange', lookWhenVisible));
  return (
    <div role="status" class="page-notice">
      <Show when={needsLogin()}>
        <div class="page-notice-text">
          <Icon name="warn" />
          <p>
            <strong>You are logged out.</strong> Log in in another tab and come back: what you typed
            stays here.
          </p>
          <a class="button primary" href={props.team.toLoginUrl()} target="_blank" rel="noopener">
            Log in
          </a>
          <button type="button" onClick={() => void look()}>
            I have logged in
          </button>
        </div>
      </Show>
    </div>
  );
}
