import type { NeedsGroup } from '../../src/schema/job.ts';
import { createMemo, createSignal, For, Show } from 'solid-js';
import { age, dateTime, titleOfJob } from '../jobs/jobText.ts';
import { nowForAges } from '../shell/now.ts';
import { inboxHash } from '../shell/router.ts';
import { groupsOf, type Rows } from './rows.ts';
import { ASK_NAMES, GROUP_NAMES } from './waiting.ts';
import { whenChanged } from '../shell/whenChanged.ts';

/** Rows of a group that are shown at once; the rest on demand. */
const SHOWN = 200;

interface InboxListProps {
  rows: Rows;
  /** The job that is open; null = none. */
  openId: string | null;
  /** The pointer is over the list: nothing may move. */
  onStill: (still: boolean) => void;
}

/** What waits, one line a job. Rows are kept by job: what changes elsewhere does not touch them. */
export function InboxList(props: InboxListProps) {
  const groups = createMemo(() => groupsOf(props.rows));
  const names = createMemo(() => groups().map(({ group }) => group), [], {
    equals: (a, b) => a.join() === b.join(),
  });
  return (
    <nav
      class="inbox-list"
      aria-label="Waiting for you"
      onPointerEnter={() => props.onStill(true)}
      onPointerLeave={() => props.onStill(false)}
    >
      <For each={names()}>
        {(group) => (
          <GroupRows
            group={group}
            rows={() => groups().find((one) => one.group === group)?.rows ?? []}
            openId={props.openId}
          />
        )}
      </For>
      <p class="muted inbox-held" role="status">
        {props.rows.held > 0 ? `${props.rows.held} new` : ''}
      </p>
    </nav>
  );
}

function GroupRows(props: {
  group: NeedsGroup;
  rows: () => ReturnType<typeof groupsOf>[number]['rows'];
  openId: string | null;
}) {
  const [limit, setLimit] = createSignal(SHOWN);
  const ids = createMemo(() => props.rows().map(({ item }) => item.jobId));
  const byId = createMemo(() => new Map(props.rows().map((row) => [row.item.jobId, row])));
  return (
    <section aria-label={GROUP_NAMES[props.group]}>
      <h2>
        {GROUP_NAMES[props.group]} <small>{props.rows().length}</small>
      </h2>
      <ul class="plain">
        <For each={ids().slice(0, limit())}>
          {(jobId) => <InboxRow row={byId().get(jobId)} isOpen={props.openId === jobId} />}
        </For>
      </ul>
      <Show when={ids().length > limit()}>
        <button type="button" class="quiet" onClick={() => setLimit((now) => now + SHOWN)}>
          {limit()} of {ids().length} shown. Show more
        </button>
      </Show>
    </section>
  );
}

function InboxRow(props: {
  row: ReturnType<typeof groupsOf>[number]['rows'][number] | undefined;
  isOpen: boolean;
}) {
  let link: HTMLAnchorElement | undefined;
  whenChanged(
    () => props.isOpen,
    (isOpen) => isOpen && link?.scrollIntoView({ block: 'nearest' }),
  );
  return (
    <Show when={props.row}>
      {(row) => (
        <li>
          <a
            ref={link}
            class="inbox-row"
            classList={{ gone: row().gone, broken: row().item.group === 'broken' }}
            href={inboxHash(row().item.jobId)}
            aria-current={props.isOpen ? 'true' : undefined}
          >
            <bdi class="title">{titleOfJob(row().item.job)}</bdi>
            <span class="reason" title={row().item.text}>
              <b>{row().gone ? 'Handled' : ASK_NAMES[row().item.ask]}</b>
            </span>
            <bdi class="repo">{row().item.job.repoSlug}</bdi>
            <time datetime={row().item.since} title={`Waiting since ${dateTime(row().item.since)}`}>
              {age(row().item.since, nowForAges())}
            </time>
          </a>
        </li>
      )}
    </Show>
  );
}
