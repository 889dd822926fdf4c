import { createEffect, createMemo, createSignal, Match, Show, Switch } from 'solid-js';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { parseRoute, toInboxHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { CardBoundary } from '../shell/problems/CardBoundary.tsx';
import { createLazyPart } from '../shell/signals/lazyPart.ts';
import { runOnChange } from '../shell/signals/runOnChange.ts';
import { Choice } from '../shell/controls/Choice.tsx';
import { readRemembered, remember } from '../shell/remember.ts';
import {
  formatInboxFilter,
  type InboxFilter,
  listInboxChoices,
  matchesInboxFilter,
  NO_INBOX_FILTER,
  parseInboxFilter,
} from './inboxFilter.ts';
import { InboxList } from './InboxList.tsx';
import { SnoozedJobs } from './SnoozedJobs.tsx';
import { createItemReadings } from './itemReadings.ts';
import { OpenItem } from './OpenItem.tsx';
import {
  pickItemAfterDone,
  findItemBeside,
  NO_ROWS,
  type InboxListRows,
  buildInboxRows,
} from './buildInboxRows.ts';
import {
  type InboxItem,
  type JobItem,
  parseProposalItemId,
  type ProposalItem,
} from './inboxItems.ts';
import '../jobs/page/jobParts.css';
import '../jobs/page/job.css';
import './inbox.css';

const OpenProposal = createLazyPart(async () => (await import('./OpenProposal.tsx')).OpenProposal);

/** As in inbox.css: from here on list and item are side by side. */
const SIDE_BY_SIDE = '(min-width: 901px)';

/** Where the items are that are read in advance, counted from the open one. */
const PLACES_AHEAD = [1, 2, -1];

/** Under this name the browser keeps the filter. */
const FILTER = 'inbox.filter';

interface Answer {
  id: string;
  key: string;
  /** Item to open once that item no longer waits; null = none. */
  next: string | null;
}

/** The list and one open item, which stays open until the person moves on or answers it. */
export function InboxPage(props: { itemId: string | null }) {
  const { client, inbox } = useDashboard();
  const items = useStore(inbox, (context) => context.items);
  const total = useStore(inbox, (context) => context.total);
  const isLoaded = useStore(inbox, (context) => context.loaded);
  const problem = useStore(inbox, (context) => context.problem);
  const [still, setStill] = createSignal(false);
  const [filter, setFilter] = createSignal(parseInboxFilter(readRemembered(FILTER)));
  const shownItems = createMemo(() => items().filter((one) => matchesInboxFilter(one, filter())));
  const choose = (part: Partial<InboxFilter>) => {
    const now = setFilter((before) => ({ ...before, ...part }));
    remember(FILTER, formatInboxFilter(now));
  };
  const rows = createMemo<InboxListRows>(
    (before) => buildInboxRows(before, shownItems(), still()),
    NO_ROWS,
  );
  const openId = () => props.itemId;
  const item = createMemo(() => items().find(({ id }) => id === openId()) ?? null);
  const readings = createItemReadings(client);
  const [answeredIds, setAnsweredIds] = createSignal<ReadonlySet<string>>(new Set());
  const [readId, setReadId] = createSignal<string | null>(null);
  const [answer, setAnswer] = createSignal<Answer | null>(null);
  let place: HTMLElement | undefined;

  const open = (id: string | null) => {
    location.replace(toInboxHash(id));
    window.scrollTo({ top: 0 });
  };
  // A browser takes the focus away when the address changes, and the field that had it goes with its
  // item: without this, Tab would begin at the top of the page.
  runOnChange(
    openId,
    () => {
      if (document.activeElement === document.body) place?.focus({ preventScroll: true });
    },
    { defer: true },
  );
  const move = (by: 1 | -1) => {
    const next = findItemBeside(rows(), openId(), by);
    if (next !== null) open(next.id);
  };
  // Before those of a review, which has lines to move to.
  usePageKeys(
    () => [
      { keys: ['j'], says: 'Next item', does: { do: () => move(1) } },
      { keys: ['k'], says: 'Previous item', does: { do: () => move(-1) } },
    ],
    { isFirst: true },
  );
  // The next two items and the previous one are read in advance, once the open one has loaded.
  const neighbours = createMemo(() => {
    const id = openId();
    if (id === null || id !== readId()) return [];
    return PLACES_AHEAD.flatMap((by) => {
      const beside = findItemBeside(rows(), id, by);
      return beside?.job && beside.id !== id ? [beside] : [];
    });
  });
  // Each is read once per open item: a neighbour that changes often must not be read as often. A
  // changed one is read when it is opened.
  const ahead = new Set<string>();
  runOnChange(openId, () => ahead.clear());
  createEffect(() => {
    for (const beside of neighbours()) {
      if (ahead.has(beside.id)) continue;
      ahead.add(beside.id);
      void readings.prefetch(beside);
    }
  });

  // The first item opens by itself where there is room for it.
  createEffect(() => {
    const first = rows().rows.find(({ gone }) => !gone)?.item.id;
    // While the page that a person has gone to is loaded, this one is still there.
    const isLeft = !['inbox', 'home'].includes(parseRoute(location.hash).page);
    if (openId() === null && first !== undefined && !isLeft && matchMedia(SIDE_BY_SIDE).matches)
      location.replace(toInboxHash(first));
  });
  const onSent = async (id: string, sending: Promise<boolean>) => {
    const key = item()?.key;
    // Chosen now: the list may lose the item before the runner answers the command.
    const next = pickItemAfterDone(rows(), id);
    if (key === undefined) return;
    setAnsweredIds((keys) => new Set([...keys, key]));
    if (await sending) setAnswer({ id, key, next });
    else setAnsweredIds((keys) => new Set([...keys].filter((one) => one !== key)));
  };
  // The next item opens once this one is answered: the command was accepted and the item no longer
  // waits, in either order.
  createEffect(() => {
    const lastAnswer = answer();
    if (lastAnswer === null || lastAnswer.id !== openId() || lastAnswer.key === item()?.key) return;
    setAnswer(null);
    const waits = items().some(({ id }) => id === lastAnswer.next);
    open(waits ? lastAnswer.next : (shownItems()[0]?.id ?? null));
  });

  return (
    <div class="page inbox" classList={{ 'has-open': openId() !== null }}>
      <div class="page-head">
        <h1>Needs you</h1>
        <span class="muted grow">
          {describeInboxCount(items().length, total())}
          {shownItems().length < items().length ? `, ${shownItems().length} shown` : ''}
        </span>
        <InboxFilterBar items={items()} filter={filter()} change={choose} />
      </div>
      <Switch>
        <Match when={!isLoaded() && problem()}>
          <Problem error={problem()} />
        </Match>
        <Match when={!isLoaded()}>
          <p class="muted">Loading …</p>
        </Match>
        <Match when={items().length === 0 && openId() === null}>
          <NothingWaits />
          <SnoozedJobs />
        </Match>
        <Match when={shownItems().length === 0 && openId() === null}>
          <div class="empty">
            <h2>Nothing of this selection is waiting for you</h2>
            <button type="button" onClick={() => choose(NO_INBOX_FILTER)}>
              Show all {items().length}
            </button>
          </div>
        </Match>
        <Match when={true}>
          <div class="panes">
            <div class="inbox-side">
              <InboxList
                rows={rows()}
                answered={answeredIds()}
                openId={openId()}
                onStill={setStill}
              />
              <SnoozedJobs />
            </div>
            <section class="inbox-open" aria-label="Open item" tabindex="-1" ref={place}>
              <Show when={openId()} keyed>
                {(id) => {
                  const next = () => open(pickItemAfterDone(rows(), id));
                  const proposalId = parseProposalItemId(id);
                  if (proposalId !== null)
                    return (
                      <CardBoundary>
                        <OpenProposal
                          proposalId={proposalId}
                          item={narrowToProposalItem(item())}
                          onNext={next}
                        />
                      </CardBoundary>
                    );
                  return (
                    <OpenItem
                      jobId={id}
                      item={narrowToJobItem(item())}
                      readings={readings}
                      onRead={() => setReadId(id)}
                      onSent={(sending) => void onSent(id, sending)}
                      onNext={next}
                    />
                  );
                }}
              </Show>
            </section>
          </div>
        </Match>
      </Switch>
    </div>
  );
}

const narrowToJobItem = (item: InboxItem | null): JobItem | null => (item?.job ? item : null);
const narrowToProposalItem = (item: InboxItem | null): ProposalItem | null =>
  item?.proposal ? item : null;

function InboxFilterBar(props: {
  items: readonly InboxItem[];
  filter: InboxFilter;
  change: (part: Partial<InboxFilter>) => void;
}) {
  const { team } = useDashboard();
  const me = () => team?.me() ?? null;
  const choices = createMemo(() => listInboxChoices(props.items, me()));
  return (
    <div class="row inbox-filter">
      <Choice
        label="Repository"
        all="All repositories"
        values={choices().repos}
        value={props.filter.repo}
        change={(repo) => props.change({ repo })}
      />
      <Choice
        label="Workflow"
        all="All workflows"
        values={choices().workflows}
        value={props.filter.workflow}
        change={(workflow) => props.change({ workflow })}
      />
      <Choice
        label="Person"
        all="Everyone"
        values={choices().people}
        value={props.filter.person}
        least={1}
        formatValue={(name) => (name === me() ? `Mine (${name})` : name)}
        change={(person) => props.change({ person })}
      />
    </div>
  );
}

const describeInboxCount = (shownCount: number, total: number): string => {
  if (total === 0) return '';
  return shownCount < total
    ? `the ${shownCount} of ${total} that wait longest`
    : `${total} waiting`;
};

function NothingWaits() {
  return (
    <div class="empty">
      <h2>Nothing is waiting for you</h2>
      <p>
        Plans to approve, questions from agents, pull requests to review, failed jobs, halted
        campaigns and proposals appear here. Until then, jobs continue on their own.
      </p>
      <div class="row">
        <a class="button" href="#/jobs">
          <Icon name="list" /> All jobs
        </a>
        <a class="button primary" href="#/new">
          <Icon name="plus" /> New job
        </a>
      </div>
    </div>
  );
}
