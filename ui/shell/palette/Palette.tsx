import { createMemo, createSignal, createUniqueId, For, Show } from 'solid-js';
import { Dialog } from '../controls/Dialog.tsx';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../controls/Icon.tsx';
import { rankCommands } from './rankCommands.ts';
import { listPaletteCommands, type RunnableCommand } from './listPaletteCommands.ts';
import type { Route } from '../navigation/router.ts';
import { createJobSearch } from '../../jobs/list/jobSearch.ts';

const SHOWN = 12;

/** Search over pages, jobs and what can be done, by keyboard alone. */
export function Palette(props: { route: Route }) {
  const dashboard = useDashboard();
  const { shell, client } = dashboard;
  const [typedText, setTypedText] = createSignal('');
  const [at, setAt] = createSignal(0);
  const { matches, awaitAnswer } = createJobSearch(client, typedText, SHOWN);
  const id = createUniqueId();
  const all = createMemo(() =>
    listPaletteCommands({ shell, jobs: matches(), route: props.route, of: dashboard }),
  );
  const shownCommands = createMemo(() => {
    const best = rankCommands(typedText(), all(), SHOWN);
    // The runner also finds jobs by what is not in their title: repository, status, reason.
    const ids = new Set(matches().map((job) => job.id));
    return [...new Set([...best, ...all().filter((command) => ids.has(command.id))])].slice(
      0,
      SHOWN,
    );
  });
  const close = () => shell.trigger.closed();

  const choose = (command: RunnableCommand | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  const move = (by: number) =>
    setAt((now) => (now + by + shownCommands().length) % Math.max(1, shownCommands().length));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    // What is typed fast must not open what was found before.
    else if (event.key === 'Enter') void awaitAnswer().then(() => choose(shownCommands()[at()]));
    else return;
    event.preventDefault();
  };

  return (
    <Dialog label="Search" class="palette" close={close}>
      <div class="palette-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={shownCommands().length > 0 ? `${id}-${at()}` : undefined}
          aria-label="Search pages, jobs and actions"
          placeholder="Search pages, jobs and actions"
          autofocus
          autocomplete="off"
          spellcheck={false}
          value={typedText()}
          onInput={(event) => {
            setTypedText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={id} role="listbox" aria-label="Results" class="palette-results">
        <For each={shownCommands()}>
          {(command, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and takes the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search field, which names the active one
            <div
              id={`${id}-${index()}`}
              role="option"
              tabindex="-1"
              aria-selected={index() === at()}
              onClick={() => choose(command)}
              onPointerMove={() => setAt(index())}
            >
              <bdi class="grow">{command.title}</bdi>
              <small>{command.hint}</small>
              <small class="group">{command.group}</small>
            </div>
          )}
        </For>
      </div>
      <Show when={shownCommands().length === 0}>
        <p class="empty">
          No matches. Search for words of a job's description, its ID, or what you want to do.
        </p>
      </Show>
    </Dialog>
  );
}
