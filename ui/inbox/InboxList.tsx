import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from 'solid-js';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { toRouteHash, toInboxHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { runOnChange } from '../shell/signals/runOnChange.ts';
import { createReviewFacts, type ReviewFacts } from './reviewFacts.ts';
import { groupInboxRows, type InboxListRow, type InboxListRows } from './buildInboxRows.ts';
import { GROUP_NAMES, type InboxGroup, type InboxItem, formatItemTitle } from './inboxItems.ts';

/** Rows of a group that are shown at once; the rest on demand. */
const SHOWN = 200;

interface InboxListProps {
  rows: InboxListRows;
  /** Keys of the items whose answer was sent or accepted. */
  answered: ReadonlySet<string>;
  /** The item that is open; null = none. */
  openId: string | null;
  /** The pointer is over the list: nothing may move. */
  onStill: (still: boolean) => void;
}

/** What waits, one row each. Rows are kept by item: what changes elsewhere does not touch them. */
export function InboxList(props: InboxListProps) {
  const facts = createReviewFacts(useDashboard().client);
  const groups = createMemo(() => groupInboxRows(props.rows));
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
            facts={facts}
            answered={props.answered}
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
  group: InboxGroup;
  rows: () => readonly InboxListRow[];
  facts: ReviewFacts;
  answered: ReadonlySet<string>;
  openId: string | null;
}) {
  const [limit, setLimit] = createSignal(SHOWN);
  const ids = createMemo(() => props.rows().map(({ item }) => item.id));
  const byId = createMemo(() => new Map(props.rows().map((row) => [row.item.id, row])));
  return (
    <section aria-label={GROUP_NAMES[props.group]}>
      <h2>
        {GROUP_NAMES[props.group]} <small>{props.rows().length}</small>
        <Show when={props.group === 'broken'}>
          <AllFailed />
        </Show>
      </h2>
      <ul class="plain">
        <For each={ids().slice(0, limit())}>
          {(id) => (
            <Show when={byId().get(id)}>
              {(row) => (
                <InboxRow
                  row={row()}
                  facts={props.facts}
                  isAnswered={props.answered.has(row().item.key)}
                  isOpen={props.openId === id}
                />
              )}
            </Show>
          )}
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

/** The number of all failed jobs: the group lists only those that no one has decided about. */
function AllFailed() {
  const { jobs, team } = useDashboard();
  const counts = useStore(jobs, (context) => context.counts);
  return (
    // The control plane does not count the jobs of a team by state.
    <Show when={team === null && counts()}>
      {(jobCounts) => (
        <a class="all-failed" href={toRouteHash(['jobs'], { is: 'bad' })}>
          {jobCounts().is.failed} failed in all
        </a>
      )}
    </Show>
  );
}

function InboxRow(props: {
  row: InboxListRow;
  facts: ReviewFacts;
  isAnswered: boolean;
  isOpen: boolean;
}) {
  let link: HTMLAnchorElement | undefined;
  runOnChange(
    () => props.isOpen,
    (isOpen) => isOpen && link?.scrollIntoView({ block: 'nearest' }),
  );
  const item = () => props.row.item;
  return (
    <li>
      <a
        ref={link}
        class="inbox-row"
        classList={{
          gone: props.row.gone,
          answered: props.isAnswered && !props.row.gone,
          broken: item().group === 'broken',
        }}
        href={toInboxHash(item().id)}
        aria-current={props.isOpen ? 'true' : undefined}
        aria-busy={props.isAnswered && !props.row.gone}
      >
        <bdi class="title">{formatItemTitle(item())}</bdi>
        <time datetime={item().since} title={`Waiting since ${formatDateTime(item().since)}`}>
          {formatAge(item().since, nowForAges())}
        </time>
        <span class="facts-line" title={item().text}>
          <b>{props.row.gone ? 'Handled' : props.isAnswered ? 'Answered' : item().kind}</b>
          <bdi>{describeItemPlace(item())}</bdi>
          <Show when={item().group === 'review' && item().job}>
            {(job) => <ReviewFactText facts={props.facts} job={job()} />}
          </Show>
        </span>
      </a>
    </li>
  );
}

/** Where it waits: the pull requests, the repository, or the layer of a proposal. */
function describeItemPlace(item: InboxItem): string {
  if (item.job === null)
    return item.proposal.layer === 'tenant' ? 'team layer' : (item.proposal.repo ?? '');
  const prIds = item.job.needs?.prIds ?? [];
  const [first] = prIds;
  if (first === undefined) return item.job.repoSlug ?? '';
  const name = first.replace(/^[^:]*:/, '');
  return prIds.length === 1 ? name : `${name} and ${prIds.length - 1} more`;
}

/** Size and checks of a pull request, once the row has been in view. */
function ReviewFactText(props: { facts: ReviewFacts; job: JobSummary }) {
  let place: HTMLSpanElement | undefined;
  const [isSeen, setIsSeen] = createSignal(false);
  onMount(() => {
    const watch = new IntersectionObserver((entries) =>
      setIsSeen(entries.some(({ isIntersecting }) => isIntersecting)),
    );
    if (place) watch.observe(place);
    onCleanup(() => watch.disconnect());
  });
  createEffect(() => {
    if (isSeen()) void props.facts.look(props.job);
  });
  return (
    <span ref={place} class="review-fact">
      <Show when={props.facts.known(props.job)}>
        {(fact) => (
          <>
            <Show when={fact().size} fallback={<span>large</span>}>
              {(size) => (
                <span>
                  {size().files} {size().files === 1 ? 'file' : 'files'} <ins>+{size().added}</ins>{' '}
                  <del>−{size().removed}</del>
                </span>
              )}
            </Show>
            <span class={`checks ${fact().tone}`}>{fact().checks}</span>
          </>
        )}
      </Show>
    </span>
  );
}
