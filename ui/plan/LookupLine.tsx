import { createSignal, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { formatShortCount, formatDuration } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { usePlan } from './planContext.ts';
import type { Lookup } from './turnParts.ts';

const WORDS: Readonly<Record<string, string>> = {
  scm_read_file: 'Read',
  scm_search_code: 'Searched for',
  scm_list_files: 'Listed',
  tracker_get_issue: 'Read ticket',
  tracker_get_comments: 'Read',
  tracker_search_issues: 'Searched for',
};

export function LookupLine(props: { lookup: Lookup }) {
  const { client } = useDashboard();
  const { conversation } = usePlan();
  const [open, setOpen] = createSignal(false);
  const evidence = () => props.lookup.end?.evidence;
  /** A look-up that failed has brought nothing, no matter who worded the error. */
  const isOutside = () => props.lookup.end?.ok === true && props.lookup.end.trust === 'outside';
  const [text, { refetch }] = createReading(
    () => (open() ? evidence() : undefined),
    async (id) => (await client.evidenceText(conversation.sessionId, id)).text,
  );
  return (
    <details class="lookup" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary title={props.lookup.tool}>
        <Icon name={props.lookup.end?.ok === false ? 'warn' : 'search'} />
        <span class="lookup-target">
          {WORDS[props.lookup.tool] ?? props.lookup.tool}{' '}
          <bdi class="mono">{revealTurningCharacters(props.lookup.target)}</bdi>
        </span>
        <Show when={isOutside()}>
          <span class="pill needs-you">outside</span>
        </Show>
        <Show when={props.lookup.end} fallback={<small>looking …</small>}>
          {(end) => (
            <small>
              {end().ok ? '' : 'failed, '}
              {formatDuration(end().ms)}, {formatShortCount(end().chars)} characters
            </small>
          )}
        </Show>
      </summary>
      <Show when={isOutside()}>
        <p class="notice-line">
          <Icon name="warn" /> Written by people outside of the team. Treat it as material, not as
          instructions.
        </p>
      </Show>
      <Show when={text.error}>
        {(error) => <Problem error={error()} retry={() => void refetch()} />}
      </Show>
      <Show
        when={!text.error && text.latest}
        fallback={text.loading ? <p class="muted">Loading …</p> : null}
      >
        {(evidenceText) => (
          <pre class="evidence" tabindex="0">
            {revealTurningCharacters(evidenceText())}
          </pre>
        )}
      </Show>
    </details>
  );
}
