import { For, Show } from 'solid-js';
import { LimitsNote } from '../budgets/LimitsNote.tsx';
import { jobFilters } from '../jobs/list/savedFilters.ts';
import { useDashboard } from './dashboard.ts';
import { Icon, type IconName } from './Icon.tsx';
import { hashOf, type Route } from './router.ts';
import type { ThemeChoice } from './shellStore.ts';
import { useStore } from './useStore.ts';

interface Place {
  href: string;
  says: string;
  icon: IconName;
  here: (route: Route) => boolean;
}

const PLACES: readonly Place[] = [
  { href: '#/inbox', says: 'Needs you', icon: 'inbox', here: ({ page }) => page === 'inbox' },
  {
    href: '#/jobs',
    says: 'Jobs',
    icon: 'list',
    here: (route) =>
      (route.page === 'jobs' && route.view === 'list') ||
      route.page === 'job' ||
      route.page === 'dispatch',
  },
  {
    href: '#/board',
    says: 'Board',
    icon: 'board',
    here: (route) => route.page === 'jobs' && route.view === 'board',
  },
  { href: '#/plan', says: 'Plan', icon: 'chat', here: ({ page }) => page === 'plan' },
  {
    href: '#/workflows',
    says: 'Workflows',
    icon: 'workflow',
    here: ({ page }) => page === 'workflows',
  },
  {
    href: '#/statistics',
    says: 'Statistics',
    icon: 'statistics',
    here: ({ page }) => page === 'statistics',
  },
  { href: '#/report', says: 'Report', icon: 'report', here: ({ page }) => page === 'report' },
  { href: '#/ratings', says: 'Ratings', icon: 'check', here: ({ page }) => page === 'ratings' },
  { href: '#/budgets', says: 'Budgets', icon: 'gauge', here: ({ page }) => page === 'budgets' },
  {
    href: '#/guardrails',
    says: 'Guardrails',
    icon: 'shield',
    here: ({ page }) => page === 'guardrails',
  },
  {
    href: '#/proposals',
    says: 'Proposals',
    icon: 'bulb',
    here: ({ page }) => page === 'proposals',
  },
  { href: '#/insights', says: 'Insights', icon: 'star', here: ({ page }) => page === 'insights' },
  { href: '#/plugins', says: 'Plugins', icon: 'plug', here: ({ page }) => page === 'plugins' },
  {
    href: '#/machines',
    says: 'Machines',
    icon: 'machine',
    here: ({ page }) => page === 'machines',
  },
  {
    href: '#/settings',
    says: 'Settings',
    icon: 'sliders',
    here: ({ page }) => page === 'settings',
  },
];

const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const satisfies Record<
  ThemeChoice,
  ThemeChoice
>;
const THEME_ICONS = { system: 'auto', light: 'sun', dark: 'moon' } as const satisfies Record<
  ThemeChoice,
  IconName
>;

/**
 * The way around: pages, saved views, and the few switches of the shell. A bar at the foot of the
 * page on phones.
 */
export function Sidebar(props: { route: Route; waiting: number }) {
  const { shell } = useDashboard();
  const theme = useStore(shell, (context) => context.theme);
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
      <a class="button new-job" href="#/new">
        <Icon name="plus" /> <span>New job</span>
      </a>
      <nav aria-label="Main">
        <ul class="plain">
          <For each={PLACES}>
            {(place) => (
              <li>
                <a href={place.href} aria-current={place.here(props.route) ? 'page' : undefined}>
                  <Icon name={place.icon} />
                  <span>{place.says}</span>
                  <Show when={place.icon === 'inbox' && props.waiting > 0}>
                    <b class="badge">
                      {props.waiting}
                      <span class="visually-hidden"> waiting</span>
                    </b>
                  </Show>
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
                  <a href={hashOf([board ? 'board' : 'jobs'], query)}>
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
        <button
          type="button"
          class="quiet wide stop-all"
          onClick={() => shell.trigger.opened({ dialog: 'stopAll' })}
        >
          <Icon name="stop" /> <span>Stop all jobs</span>
        </button>
        <button
          type="button"
          class="quiet wide"
          onClick={() => shell.trigger.opened({ dialog: 'palette' })}
        >
          <Icon name="search" /> <span>Search</span> <kbd>^K</kbd>
        </button>
        <button
          type="button"
          class="quiet icon-only"
          aria-label={`Theme: ${theme()}. Change to ${NEXT_THEME[theme()]}`}
          title={`Theme: ${theme()}`}
          onClick={() => shell.trigger.themed({ theme: NEXT_THEME[theme()] })}
        >
          <Icon name={THEME_ICONS[theme()]} />
        </button>
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
    </aside>
  );
}
