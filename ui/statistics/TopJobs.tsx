import { For, Show } from 'solid-js';
import { formatCost } from '../../src/base/spending/formatCost.ts';
import type { CostRow } from '../../src/contract/schema/policy/costs.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';

/** The chats of plan mode are among the costs, and have no page of a job. */
const isChat = (id: string): boolean => id.startsWith('chat:');

/** The jobs that cost most, each with its sub-runs. */
export function TopJobs(props: { rows: readonly CostRow[] }) {
  return (
    <section class="top-jobs" aria-labelledby="top-jobs">
      <h3 id="top-jobs">Most expensive jobs</h3>
      <ol>
        <For each={props.rows}>
          {(row) => (
            <li>
              <JobName row={row} />
              <span class="muted">{formatCost(row)}</span>
            </li>
          )}
        </For>
      </ol>
    </section>
  );
}

function JobName(props: { row: CostRow }) {
  const id = () => props.row.keys[0] ?? '';
  const title = () => revealTurningCharacters(props.row.label ?? id());
  return (
    <Show when={id() !== '' && !isChat(id())} fallback={<bdi>{title() || 'Unknown job'}</bdi>}>
      <a href={toJobHash(id())}>
        <bdi>{title()}</bdi>
      </a>
    </Show>
  );
}
