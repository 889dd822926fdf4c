import { createEffect, For, on, Show } from 'solid-js';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../controls/Icon.tsx';
import { FileMissing } from '../signals/lazyPart.ts';
import { useStore } from '../useStore.ts';
import { explainProblem, isNotFound, isRunnerAway, isUnreachable } from './explainProblem.ts';

export function CodedText(props: { text: string }) {
  return (
    <For each={props.text.split('`')}>
      {(part, index) => (index() % 2 === 1 ? <code>{part}</code> : part)}
    </For>
  );
}

/**
 * An error in place of what it kept from being shown; a runner that does not answer is reported once
 * for the whole page, by the banner. `retry` is offered as a button where there is
 * one, and done by itself once a lost connection is healed: it must do nothing but read. For a file
 * of the dashboard it is the page that is loaded again: texts that are being written are kept.
 */
export function Problem(props: {
  error: unknown;
  retry?: () => void;
  /** True where what was read before is still on the screen. Default: false. */
  isKept?: boolean;
}) {
  const { shell, connection } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const again = () => {
    // Loading the page while the runner is away would lose it.
    const isAway = shell.getSnapshot().context.lostSince !== null;
    if (props.error instanceof FileMissing && !isAway) location.reload();
    else props.retry?.();
  };
  createEffect(on(reconnects, again, { defer: true }));
  createEffect(() => connection.report(props.error));
  const explanation = () => explainProblem(props.error);
  return (
    <Show
      when={!isUnreachable(props.error)}
      fallback={
        <Show when={props.isKept !== true}>
          <p class="muted not-loaded">Not loaded yet: the runner does not answer.</p>
        </Show>
      }
    >
      <div class="problem" role="alert">
        <Icon name="warn" />
        <div class="stack">
          <p>
            <strong>{explanation().title}.</strong> {explanation().detail}
          </p>
          <Show when={explanation().fields.length > 0}>
            <ul>
              <For each={explanation().fields}>
                {({ pointer, message }) => (
                  <li>
                    <code>{pointer}</code> {message}
                  </li>
                )}
              </For>
            </ul>
          </Show>
          <Show when={explanation().wayOut}>
            {(wayOut) => (
              <p>
                <CodedText text={wayOut()} />
              </p>
            )}
          </Show>
          <p class="row">
            <Show when={props.retry}>
              <button type="button" onClick={again}>
                <Icon name="redo" /> Try again
              </button>
            </Show>
            <Show when={isNotFound(props.error)}>
              <a class="button" href="#/jobs">
                <Icon name="list" /> All jobs
              </a>
            </Show>
            <Show when={isRunnerAway(props.error)}>
              <a class="button" href="#/runners">
                <Icon name="plug" /> Runners
              </a>
            </Show>
            <Show when={explanation().requestId}>
              {(id) => (
                <small>
                  Request <code>{id()}</code>
                </small>
              )}
            </Show>
          </p>
        </div>
      </div>
    </Show>
  );
}
