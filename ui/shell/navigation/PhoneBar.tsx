import { createSignal, For, Show } from 'solid-js';
import { Portal } from 'solid-js/web';
import { jobFilters } from '../../jobs/list/savedFilters.ts';
import { Badge } from '../controls/Badge.tsx';
import { useDashboard } from '../dashboard.ts';
import { Dialog } from '../controls/Dialog.tsx';
import { Icon } from '../controls/Icon.tsx';
import { listAllPlaces, listPhonePlaces, type NavigationPlace } from './navigationPlaces.ts';
import { toRouteHash, type Route } from './router.ts';
import type { ShellDialog } from '../shellStore.ts';
import { ThemeButton } from '../controls/ThemeButton.tsx';
import './phoneBar.css';

interface PhoneBarProps {
  route: Route;
  /** How much waits for the person at a place; 0 = nothing. */
  countWaitingAt: (place: NavigationPlace) => number;
}

/**
 * The navigation at the foot of the page on phones: the most wanted pages, and a way to the rest.
 */
export function PhoneBar(props: PhoneBarProps) {
  const [isOpen, setIsOpen] = createSignal(false);
  const dashboard = useDashboard();
  const places = () => listPhonePlaces(dashboard);
  const isAmong = () => places().some(({ isHere }) => isHere(props.route));
  return (
    <>
      <nav class="phone-bar" aria-label="Main">
        <ul class="plain">
          <For each={places()}>
            {(place) => (
              <li>
                <PlaceLink place={place} {...props} />
              </li>
            )}
          </For>
          <li>
            <button
              type="button"
              class="quiet"
              classList={{ here: !isAmong() }}
              aria-haspopup="dialog"
              aria-expanded={isOpen()}
              onClick={() => setIsOpen(true)}
            >
              <Icon name="more" />
              <span>More</span>
            </button>
          </li>
        </ul>
      </nav>
      <Show when={isOpen()}>
        {/* Of the sidebar a phone shows the bar alone. */}
        <Portal>
          <MoreSheet {...props} close={() => setIsOpen(false)} />
        </Portal>
      </Show>
    </>
  );
}

function PlaceLink(props: PhoneBarProps & { place: NavigationPlace; onChosen?: () => void }) {
  return (
    <a
      href={props.place.href}
      aria-current={props.place.isHere(props.route) ? 'page' : undefined}
      onClick={() => props.onChosen?.()}
    >
      <Icon name={props.place.icon} />
      <span>{props.place.says}</span>
      <Badge waiting={props.countWaitingAt(props.place)} />
    </a>
  );
}

/** Every page, the saved views, and what belongs to none of them. */
function MoreSheet(props: PhoneBarProps & { close: () => void }) {
  const dashboard = useDashboard();
  const { shell } = dashboard;
  const open = (dialog: ShellDialog) => {
    props.close();
    shell.trigger.opened({ dialog });
  };
  return (
    <Dialog label="More" class="more-sheet" close={props.close}>
      <div class="more-head">
        <h2>More</h2>
        <button
          type="button"
          class="quiet icon-only"
          aria-label="Close"
          onClick={() => props.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <nav aria-label="All pages">
        <ul class="plain more-pages">
          <For each={listAllPlaces(dashboard)}>
            {(place) => (
              <li>
                <PlaceLink place={place} {...props} onChosen={props.close} />
              </li>
            )}
          </For>
        </ul>
      </nav>
      <Show when={jobFilters.list().length > 0}>
        <nav aria-label="Saved views">
          <ul class="plain more-pages">
            <For each={jobFilters.list()}>
              {({ name, query, board }) => (
                <li>
                  <a
                    href={toRouteHash([board ? 'board' : 'jobs'], query)}
                    onClick={() => props.close()}
                  >
                    <Icon name={board ? 'board' : 'star'} />
                    <span dir="auto">{name}</span>
                  </a>
                </li>
              )}
            </For>
          </ul>
        </nav>
      </Show>
      <div class="more-acts">
        <button type="button" onClick={() => open('palette')}>
          <Icon name="search" /> Search
        </button>
        <ThemeButton withName />
        <button type="button" onClick={() => open('help')}>
          <Icon name="help" /> Shortcuts and settings
        </button>
        <Show when={dashboard.offers('stopAll')}>
          <button type="button" class="danger" onClick={() => open('stopAll')}>
            <Icon name="stop" /> Stop all jobs
          </button>
        </Show>
      </div>
    </Dialog>
  );
}
