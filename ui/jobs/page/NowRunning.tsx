import { createMemo, Show } from 'solid-js';
import { toJobHash } from '../../shell/navigation/router.ts';
import { useStore } from '../../shell/useStore.ts';
import { formatDuration } from '../jobText.ts';
import { toVisibleLine } from '../log/terminalText.ts';
import { useJob } from './jobView.ts';
import { useSeconds } from './useSeconds.ts';

const SHOWN_CHARS = 300;

/** A length without fractions of a second. */
const formatWholeSeconds = (ms: number): string =>
  formatDuration(Math.max(1, Math.floor(ms / 1_000)) * 1_000);
const formatTimeAgo = (ms: number): string =>
  ms < 1_500 ? 'just now' : `${formatWholeSeconds(ms)} ago`;

/** What runs now, and for how long; `line`: also the last line of output and its age. */
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
          <span>Running for {formatWholeSeconds(now() - Date.parse(since().since))}</span>
          <Show
            when={props.line && line()}
            fallback={<span class="muted">{line() ? '' : 'No output yet.'}</span>}
          >
            {(last) => (
              <>
                <a href={toJobHash(job().id, 'log')} title="Open the log">
                  <bdi>{toVisibleLine(last().line).slice(0, SHOWN_CHARS)}</bdi>
                </a>
                <small>{formatTimeAgo(now() - Date.parse(last().at))}</small>
              </>
            )}
          </Show>
        </p>
      )}
    </Show>
  );
}
