import { createEffect, createMemo, createSignal, Match, Show, Switch } from 'solid-js';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/Icon.tsx';
import { usePageKeys } from '../shell/pageKeys.ts';
import { Problem } from '../shell/Problem.tsx';
import { inboxHash } from '../shell/router.ts';
import { useStore } from '../shell/useStore.ts';
import { whenChanged } from '../shell/whenChanged.ts';
import { InboxList } from './InboxList.tsx';
import { OpenItem } from './OpenItem.tsx';
import { afterDone, jobAt, NO_ROWS, type Rows, rowsOf } from './rows.ts';
import '../jobs/page/jobParts.css';
import '../jobs/page/job.css';
import './inbox.css';

/** As in inbox.css: from here on list and item are side by side. */
const SIDE_BY_SIDE = '(min-width: 901px)';

/** A command that the runner took from here. */
interface Answer {
  jobId: string;
  /** Key of the item that it was sent for. */
  key: string;
  /** Job to open once that item no longer waits; null = none. */
  next: string | null;
}

/**
 * Everything that waits for a person: the list, and one item with its question and its answers.
 * What is open stays open until the person moves on or answers it.
 */
export function InboxPage(props: { jobId: string | null }) {
  const { inbox } = useDashboard();
  const items = useStore(inbox, (context) => context.items);
  const total = useStore(inbox, (context) => context.total);
  const loaded = useStore(inbox, (context) => context.loaded);
  const problem = useStore(inbox, (context) => context.problem);
  const [still, setStill] = createSignal(false);
  const rows = createMemo<Rows>((before) => rowsOf(before, items(), still()), NO_ROWS);
  const openId = () => props.jobId;
  const item = createMemo(() => items().find(({ jobId }) => jobId === openId()) ?? null);
  const [answer, setAnswer] = createSignal<Answer | null>(null);
  let place: HTMLElement | undefined;

  const open = (jobId: string | null) => {
    location.replace(inboxHash(jobId));
    window.scrollTo({ top: 0 });
  };
  // A browser takes the focus away when the address changes, and the field that had it goes with its
  // item: without this, Tab would begin at the top of the page.
  whenChanged(
    openId,
    () => {
      if (document.activeElement === document.body) place?.focus({ preventScroll: true });
    },
    { defer: true },
  );
  const move = (by: 1 | -1) => {
    const next = jobAt(rows(), openId(), by);
    if (next !== null) open(next);
  };
  usePageKeys(() => [
    { keys: ['j'], says: 'Next item', does: { do: () => move(1) } },
    { keys: ['k'], says: 'Previous item', does: { do: () => move(-1) } },
  ]);

  // The first item opens by itself where there is room for it.
  createEffect(() => {
    const first = rows().rows.find(({ gone }) => !gone)?.item.jobId;
    if (openId() === null && first !== undefined && matchMedia(SIDE_BY_SIDE).matches)
      location.replace(inboxHash(first));
  });
  const onSent = async (jobId: string, taken: Promise<boolean>) => {
    const key = item()?.key;
    // Chosen now: the list may lose the item before the runner's reply to the command arrives.
    const next = afterDone(rows(), jobId);
    if ((await taken) && key !== undefined) setAnswer({ jobId, key, next });
  };
  // The next one opens by itself once this one is answered: the command was taken and the item no
  // longer waits, whichever is heard first.
  createEffect(() => {
    const sent = answer();
    if (sent === null || sent.jobId !== openId() || sent.key === item()?.key) return;
    setAnswer(null);
    const waits = items().some(({ jobId }) => jobId === sent.next);
    open(waits ? sent.next : (items()[0]?.jobId ?? null));
  });

  return (
    <div class="page inbox" classList={{ 'has-open': openId() !== null }}>
      <div class="page-head">
        <h1>Needs you</h1>
        <span class="muted">{headText(items().length, total())}</span>
      </div>
      <Switch>
        <Match when={!loaded() && problem()}>
          <Problem error={problem()} />
        </Match>
        <Match when={!loaded()}>
          <p class="muted">Loading …</p>
        </Match>
        <Match when={items().length === 0 && openId() === null}>
          <NothingWaits />
        </Match>
        <Match when={true}>
          <div class="panes">
            <InboxList rows={rows()} openId={openId()} onStill={setStill} />
            <section class="inbox-open" aria-label="Open item" tabindex="-1" ref={place}>
              <Show when={openId()} keyed>
                {(jobId) => (
                  <OpenItem
                    jobId={jobId}
                    item={item()}
                    onSent={(taken) => void onSent(jobId, taken)}
                    next={() => open(afterDone(rows(), jobId))}
                  />
                )}
              </Show>
            </section>
          </div>
        </Match>
      </Switch>
    </div>
  );
}

const headText = (shown: number, total: number): string => {
  if (total === 0) return '';
  return shown < total ? `the ${shown} of ${total} that wait longest` : `${total} waiting`;
};

function NothingWaits() {
  return (
    <div class="empty">
      <h2>Nothing is waiting for you</h2>
      <p>
        Plans to approve, questions from agents, failed jobs and halted campaigns appear here. Until
        then, jobs continue on their own.
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
