import { For, Show } from 'solid-js';
import { LimitsNote } from '../../budgets/LimitsNote.tsx';
import { jobFilters } from '../../jobs/list/savedFilters.ts';
import { useDashboard } from '../dashboard.ts';
import { Badge } from '../controls/Badge.tsx';
import { Icon } from '../controls/Icon.tsx';
import { PhoneBar } from './PhoneBar.tsx';
import { listPlaces, type NavigationPlace } from './navigationPlaces.ts';
import { toRouteHash, type Route } from './router.ts';
import { ThemeButton } from '../controls/ThemeButton.tsx';

/** `waiting`: how much waits in all; `proposals`: how many of these are proposals. */
export function Sidebar(props: { route: Route; waiting: number; proposals: number }) {
  const dashboard = useDashboard();
  const { shell, team, offers } = dashboard;
  const waitingAt = ({ icon }: NavigationPlace): number =>
    icon === 'inbox' ? props.waiting : icon === 'bulb' ? props.proposals : 0;
  return (
    <aside class="sidebar">
      <a class="brand" href="#/">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <circle cx="10" cy="16" r="4" />
          <circle cx="23" cy="16" r="4" class="ring" />
          <path d="M14 16h5" />
        </svg>
        svc
      </a>
      <Show when={team}>
        {(shownTeam) => (
          <a class="team-name" href="#/teams">
            <bdi>{shownTeam().name()}</bdi>
          </a>
        )}
      </Show>
      <Show when={offers('createJob')}>
        <a
          class="button new-job"
          href="#/new"
          aria-current={props.route.page === 'dispatch' ? 'page' : undefined}
        >
          <Icon name="plus" /> <span>New job</span>
        </a>
      </Show>
      <nav class="all-places" aria-label="Main">
        <ul class="plain">
          <For each={listPlaces(dashboard)}>
            {(place) => (
              <li>
                <a href={place.href} aria-current={place.isHere(props.route) ? 'page' : undefined}>
                  <Icon name={place.icon} />
                  <span>{place.says}</span>
                  <Badge waiting={waitingAt(place)} />
                </a>
              </li>
            )}
          </For>
        </ul>
      </nav>
      <Show when={jobFilters.list().length > 0}>
        <nav aria-labelledby="saved-filters" class="saved">
          <h2 id="saved-filters">Saved views</h2>
          <ul class="plain">
            <For each={jobFilters.list()}>
              {({ name, query, board }) => (
                <li>
                  <a href={toRouteHash([board ? 'board' : 'jobs'], query)}>
                    <Icon name={board ? 'board' : 'star'} />
                    <span dir="auto">{name}</span>
                  </a>
                </li>
              )}
            </For>
          </ul>
        </nav>
      </Show>
      <LimitsNote />
      <div class="sidebar-foot">
        <Show when={offers('stopAll')}>
          <button
            type="button"
            class="quiet wide stop-all"
            onClick={() => shell.trigger.opened({ dialog: 'stopAll' })}
          >
            <Icon name="stop" /> <span>Stop all jobs</span>
          </button>
        </Show>
        <button
          type="button"
          class="quiet wide"
          onClick={() => shell.trigger.opened({ dialog: 'palette' })}
        >
          <Icon name="search" /> <span>Search</span> <kbd>^K</kbd>
        </button>
        <ThemeButton />
        <button
          type="button"
          class="quiet icon-only"
          aria-label="Shortcuts and settings"
          title="Shortcuts and settings"
          onClick={() => shell.trigger.opened({ dialog: 'help' })}
        >
          <Icon name="help" />
        </button>
      </div>
      <PhoneBar route={props.route} countWaitingAt={waitingAt} />
    </aside>
  );
}
