import { type JSX, Show } from 'solid-js';
import type { Reading } from '../signals/createReading.ts';
import { Problem } from './Problem.tsx';

/**
 * Shows what was read, or why it could not be. What was read before stays on the screen while it
 * cannot be read again, for example because a proxy answers for the runner. `retry` must do nothing
 * but read.
 */
export function ReadingView<Value>(props: {
  reading: Reading<Value | undefined>;
  retry: () => void;
  children: JSX.Element;
}) {
  const isKept = () => props.reading.latest !== undefined;
  return (
    <>
      <Show when={props.reading.error}>
        {(error) => <Problem error={error()} retry={props.retry} isKept={isKept()} />}
      </Show>
      <Show when={!props.reading.error || isKept()}>{props.children}</Show>
    </>
  );
}
