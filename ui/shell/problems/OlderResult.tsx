import { type JSX, Show } from 'solid-js';
import { Icon } from '../controls/Icon.tsx';
import './olderResult.css';

/** A result of earlier input is dimmed and marked, with a button to compute it again. */
export function OlderResult(props: {
  isOld: boolean;
  /** What it is a result of, such as `an earlier text`. */
  of: string;
  /** What works it out again; default: it happens without the person. */
  again?: { says: string; busy: boolean; do: () => void };
  children: JSX.Element;
}) {
  return (
    <div class="older-result" classList={{ old: props.isOld }}>
      <Show when={props.isOld}>
        <p class="notice-line older-mark" role="status">
          <Icon name="clock" /> Of {props.of}.
          <Show when={props.again}>
            {(again) => (
              <button type="button" disabled={again().busy} onClick={() => again().do()}>
                {again().says}
              </button>
            )}
          </Show>
        </p>
      </Show>
      <div class="older-body">{props.children}</div>
    </div>
  );
}
