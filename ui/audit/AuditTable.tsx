import { For, Show } from 'solid-js';
import { JobLink } from '../jobs/JobLink.tsx';
import { formatDateTime, formatTimeWithDay } from '../jobs/jobText.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import './audit.css';

/** An entry as it is shown. */
export interface AuditRow {
  n: number;
  at: string;
  who: string;
  whoTitle?: string | undefined;
  address: string | null;
  action: string;
  target: Readonly<Record<string, string>>;
  /** Code of the error with which it ended; null = it succeeded. */
  failed: string | null;
  /** Number of the entry that has failed, where failures have entries of their own. */
  refersTo?: number | null;
}

/** Entries of an audit log. `names`: what ids of targets are called. */
export function AuditTable(props: {
  rows: readonly AuditRow[];
  names: ReadonlyMap<string, string>;
  isOld: boolean;
}) {
  return (
    <table class="audit-table reread" aria-label="Entries" aria-busy={props.isOld}>
      <thead>
        <tr>
          <For each={['#', 'When', 'Who', 'From', 'What', 'Target', 'Failed']}>
            {(says) => <th scope="col">{says}</th>}
          </For>
        </tr>
      </thead>
      <tbody>
        <For each={props.rows}>{(row) => <Entry row={row} names={props.names} />}</For>
      </tbody>
    </table>
  );
}

/** A name of the interface in words: `workflowPath` as `workflow path`. An id is called by its owner. */
const splitWords = (name: string): string =>
  name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A hash as git shows one; its whole is in the title. */
const shortenHash = (value: string): string =>
  /^[0-9a-f]{40,}$/.test(value) ? value.slice(0, 12) : value;

function Entry(props: { row: AuditRow; names: ReadonlyMap<string, string> }) {
  const { row } = props;
  return (
    <tr data-entry={row.n}>
      <td class="entry-number" data-says="Entry">
        {row.n}
      </td>
      <td data-says="When">
        <time datetime={row.at} title={formatDateTime(row.at)}>
          {formatTimeWithDay(row.at, nowForAges())}
        </time>
      </td>
      <td data-says="Who">
        <bdi title={row.whoTitle}>{row.who}</bdi>
      </td>
      <td data-says="From">
        <Show when={row.address} fallback={<span class="muted">–</span>}>
          {(address) => <bdi>{address()}</bdi>}
        </Show>
      </td>
      <td data-says="What">
        <code>{row.action}</code>
      </td>
      <td data-says="Target">
        <For each={Object.entries(row.target)} fallback={<span class="muted">–</span>}>
          {([name, value]) => (
            <span class="audit-target">
              <span class="muted" title={name}>
                {splitWords(name)}
              </span>{' '}
              <Show
                when={name === 'jobId'}
                fallback={<bdi title={value}>{props.names.get(value) ?? shortenHash(value)}</bdi>}
              >
                <JobLink jobId={value} />
              </Show>
            </span>
          )}
        </For>
      </td>
      <td data-says="Failed">
        <Show when={row.failed} fallback={<span class="muted">–</span>}>
          {(code) => (
            <>
              <span class="pill literal bad">{code()}</span>{' '}
              <Show when={row.refersTo}>{(n) => <small>entry {n()}</small>}</Show>
            </>
          )}
        </Show>
      </td>
    </tr>
  );
}
