import { createMemo, Show } from 'solid-js';
import { jobHash } from '../../shell/router.ts';
import { useStore } from '../../shell/useStore.ts';
import { duration } from '../jobText.ts';
import { visible } from '../log/terminalText.ts';
import { useJob } from './jobView.ts';
import { useSeconds } from './useSeconds.ts';

/** Characters of a line that are shown. */
const SHOWN_CHARS = 300;

/** A length without fractions of a second. */
const seconds = (ms: number): string => duration(Math.max(1, Math.floor(ms / 1_000)) * 1_000);
const agoText = (ms: number): string => (ms < 1_500 ? 'just now' : `${seconds(ms)} ago`);

/**
 * What runs now: for how long; with `line` also its last line of output, and how long ago it came.
 */
export function NowRunning(props: { line: boolean }) {
  const { store, job } = useJob();
  const timeline = useStore(store, (context) => context.timeline);
  const newest = useStore(store, (context) => context.log.lines);
  const running = () => timeline()?.running ?? null;
  const now = useSeconds(() => running() !== null);
  const line = createMemo(
    () => newest().findLast(({ from }) => from !== 'runner') ?? running()?.lastLine ?? null,
  );
  return (
    <Show when={running()}>
      {(since) => (
        <p class="now-running">
          <span>Running for {seconds(now() - Date.parse(since().since))}</span>
          <Show
            when={props.line && line()}
            fallback={<span class="muted">{line() ? '' : 'No output yet.'}</span>}
          >
            {(last) => (
              <>
                <a href={jobHash(job().id, 'log')} title="Open the log">
                  <bdi>{visible(last().line).slice(0, SHOWN_CHARS)}</bdi>
                </a>
                <small>{agoText(now() - Date.parse(last().at))}</small>
              </>
            )}
          </Show>
        </p>
      )}
    </Show>
  );
}
