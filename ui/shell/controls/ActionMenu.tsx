import { createSignal, createUniqueId, For, onCleanup, Show } from 'solid-js';
import { Icon, type IconName } from './Icon.tsx';
import './actionMenu.css';

export interface MenuAction {
  says: string;
  icon: IconName;
  does: { href: string } | { run: () => void };
  danger?: boolean;
  disabled?: boolean;
  title?: string | undefined;
}

/** What can also be done, behind one button. Escape and a click elsewhere close it. */
export function ActionMenu(props: {
  label: string;
  /** Of the button. Default: three dots. */
  icon?: IconName;
  actions: readonly MenuAction[];
}) {
  const [isOpen, setOpen] = createSignal(false);
  const id = createUniqueId();
  let box: HTMLDivElement | undefined;
  let button: HTMLButtonElement | undefined;
  const closeElsewhere = (event: Event) => {
    if (event.target instanceof Node && !box?.contains(event.target)) setOpen(false);
  };
  document.addEventListener('pointerdown', closeElsewhere);
  document.addEventListener('focusin', closeElsewhere);
  onCleanup(() => {
    document.removeEventListener('pointerdown', closeElsewhere);
    document.removeEventListener('focusin', closeElsewhere);
  });
  const run = (act: () => void) => {
    setOpen(false);
    button?.focus();
    act();
  };
  return (
    <Show when={props.actions.length > 0}>
      {/* Keys of what is in it arrive here. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no box of a menu */}
      <div
        class="action-menu"
        role="group"
        aria-label={props.label}
        ref={box}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isOpen()) return;
          event.stopPropagation();
          setOpen(false);
          button?.focus();
        }}
      >
        <button
          type="button"
          class="icon-only"
          ref={button}
          aria-label={props.label}
          title={props.label}
          aria-expanded={isOpen()}
          aria-controls={id}
          onClick={() => setOpen((open) => !open)}
        >
          <Icon name={props.icon ?? 'more'} />
        </button>
        <ul class="plain" id={id} hidden={!isOpen()}>
          <For each={props.actions}>
            {(action) => (
              <li>
                {'href' in action.does ? (
                  <a class="button quiet" href={action.does.href} onClick={() => setOpen(false)}>
                    <Icon name={action.icon} /> {action.says}
                  </a>
                ) : (
                  <button
                    type="button"
                    class="quiet"
                    classList={{ danger: action.danger === true }}
                    disabled={action.disabled === true}
                    title={action.title}
                    onClick={() => 'run' in action.does && run(action.does.run)}
                  >
                    <Icon name={action.icon} /> {action.says}
                  </button>
                )}
              </li>
            )}
          </For>
        </ul>
      </div>
    </Show>
  );
}
