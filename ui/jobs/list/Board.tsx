import { createMemo, createSignal, For, Show } from 'solid-js';
import type { JobCounts } from '../../../src/contract/schema/api/replies.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { type Filter, toJobsQuery, groupDigits, STANDING_OF } from './filters.ts';
import { useCardKeys } from './useCardKeys.ts';
import { JobCards, type PhasesByWorkflow } from './JobCards.tsx';
import { createReading } from '../../shell/signals/createReading.ts';
import { createJobPages, PAGE_JOBS } from './jobPages.ts';
import { type Tone, TONE_NAMES, TONES } from '../jobText.ts';
import { StatusMark } from '../StatusMark.tsx';
import { WaitingProposals } from './WaitingProposals.tsx';

/** Columns that are left out while they are empty. */
const SHOWN_WHEN_USED: ReadonlySet<Tone> = new Set<Tone>(['partial', 'over']);
const NO_PHASES: PhasesByWorkflow = new Map();
/** Cards that a column has at first, and by which it grows. */
const CARDS = 25;

/** Jobs as cards, a column for each way that a job can be; each column reads its own pages. */
export function Board(props: {
  filter: Filter;
  counts: JobCounts | null;
  /** Waiting proposals of the filter. */
  proposals: number;
}) {
  const count = (tone: Tone) => props.counts?.is[STANDING_OF[tone]] ?? 0;
  const tones = createMemo(
    () =>
      TONES.filter(
        (tone) =>
          (props.filter.tones.length === 0 || props.filter.tones.includes(tone)) &&
          (!SHOWN_WHEN_USED.has(tone) || count(tone) > 0),
      ),
    undefined,
    { equals: (a, b) => a.join() === b.join() },
  );
  const { client, offers } = useDashboard();
  // Without them the cards have no bar, and say the phase as before.
  const [workflows] = createReading(
    () => offers('workflows'),
    async (): Promise<PhasesByWorkflow> =>
      new Map(
        (await client.workflows()).map(({ workflowPath, phases }) => [
          workflowPath,
          phases.map(({ name }) => name),
        ]),
      ),
  );
  let box: HTMLDivElement | undefined;
  useCardKeys(() => box, false);
  return (
    <div ref={box} class="board">
      <For each={tones()}>
        {(tone) => (
          <Column
            tone={tone}
            filter={props.filter}
            count={count(tone)}
            proposals={tone === 'needs-you' ? props.proposals : 0}
            phases={workflows.latest ?? NO_PHASES}
          />
        )}
      </For>
    </div>
  );
}

function Column(props: {
  tone: Tone;
  filter: Filter;
  count: number;
  proposals: number;
  phases: PhasesByWorkflow;
}) {
  const pages = createJobPages(useDashboard(), () =>
    toJobsQuery({ ...props.filter, tones: [props.tone] }),
  );
  const [shownCards, setShownCards] = createSignal(CARDS);
  const jobs = () =>
    Array.from({ length: Math.min(shownCards(), pages.total() ?? 0) }, (_, at) =>
      pages.findAt(at),
    ).filter((job) => job !== undefined);
  const more = () => {
    setShownCards((now) => now + PAGE_JOBS);
    pages.look(0, shownCards());
  };
  return (
    <section class="reread" aria-label={TONE_NAMES[props.tone]} aria-busy={pages.isOld()}>
      <h2>
        <StatusMark tone={props.tone} /> {TONE_NAMES[props.tone]}{' '}
        <small>{groupDigits((pages.total() ?? props.count) + props.proposals)}</small>
      </h2>
      <div
        class="column-cards"
        tabindex="0"
        role="group"
        aria-label={`${TONE_NAMES[props.tone]}: jobs`}
      >
        <JobCards
          jobs={jobs()}
          now={nowForAges()}
          phases={props.phases}
          // That an earlier filter found none says nothing about this one.
          total={pages.isOld() && pages.total() === 0 ? null : pages.total()}
          more={more}
        />
        <Show when={props.filter.tones.length === 0}>
          <WaitingProposals count={props.proposals} />
        </Show>
      </div>
    </section>
  );
}
