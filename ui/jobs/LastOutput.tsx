import { For, Show } from 'solid-js';
import type { LastOutput as Output } from '../../src/contract/schema/session/lastOutput.ts';
import { toLineHash } from '../shell/navigation/router.ts';
import { toVisibleLine } from './log/terminalText.ts';
import './lastOutput.css';

/** An agent's last output before a failure, the first error marked. Nothing if it wrote none. */
export function LastOutput(props: {
  jobId: string;
  output: Output | undefined;
  /** Whose output it is, where more than one is shown on a page. */
  of?: string;
}) {
  const lines = () => props.output?.lines ?? [];
  const place = () => (lines().find(({ isError }) => isError) ?? lines().at(-1))?.number ?? 1;
  /** Whether lines are missing between it and the one before. */
  const isApart = (index: number) => {
    const [before, here] = [lines()[index - 1], lines()[index]];
    return before !== undefined && here !== undefined && here.number > before.number + 1;
  };
  return (
    <Show when={lines().length > 0}>
      <section
        class="last-output"
        aria-label={props.of === undefined ? 'Last output' : `Last output of ${props.of}`}
      >
        <div class="row">
          <b>Last output</b>
          <span class="grow">
            <Show when={props.output?.exitCode}>
              {(code) => <span class="pill bad">exit code {code()}</span>}
            </Show>
          </span>
          <a href={toLineHash(props.jobId, place())}>Open in log at line {place()}</a>
        </div>
        {/* In the tab order: a box that scrolls must be reachable by keyboard. */}
        <ol class="plain" tabindex="0">
          <For each={lines()}>
            {({ number, text, isError }, index) => (
              <li classList={{ error: isError, apart: isApart(index()) }}>
                <span class="number" aria-hidden="true">
                  {number}
                </span>
                <bdi>
                  <Show when={isError}>
                    <span class="visually-hidden">First error: </span>
                  </Show>
                  {toVisibleLine(text)}
                </bdi>
              </li>
            )}
          </For>
        </ol>
      </section>
    </Show>
  );
}
