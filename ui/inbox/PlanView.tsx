import { createEffect, createMemo, createSignal, For, Match, Show, Switch } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { Artefact, Job } from '../../src/contract/schema/job/job.ts';
import { copyMarkdown } from '../shell/controls/copyMarkdown.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Markdown } from '../shell/markdown/Markdown.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import type { Heading } from '../shell/markdown/renderInSlices.ts';
import { formatKibibytes, formatTimeOfDay } from '../jobs/jobText.ts';
import { readPlan } from './readPlan.ts';
import './plan.css';
import { ComparedLines } from './ComparedLines.tsx';
import { pickChangedParts, compareLines } from './compareLines.ts';

interface PlanChangesProps {
  jobId: string;
  before: Artefact;
  text: string;
}

function PlanChanges(props: PlanChangesProps) {
  const { client } = useDashboard();
  const [before, { refetch }] = createReading(
    () => props.before.id,
    (id) => client.artefact(props.jobId, id),
  );
  const parts = createMemo(() => {
    if (before.error || before.latest === undefined) return null;
    const lines = compareLines(before.latest, props.text);
    return { parts: lines && pickChangedParts(lines) };
  });
  return (
    <>
      <Show when={before.error}>
        {(error) => <Problem error={error()} retry={() => void refetch()} />}
      </Show>
      <Show
        when={parts()}
        fallback={before.error ? null : <p class="muted">Loading the plan before …</p>}
      >
        {(comparison) => (
          <>
            <p class="muted">
              Compared with the plan of {formatTimeOfDay(props.before.at)}.{' '}
              {comparison().parts === null && 'There are too many changes to compare line by line.'}
              {comparison().parts?.length === 0 && 'The text is the same.'}
            </p>
            <ComparedLines parts={comparison().parts} />
          </>
        )}
      </Show>
    </>
  );
}

/** The plan shown before: the last one of the same kind and phase. undefined = none. */
export function findEarlierPlan(
  artefacts: readonly Artefact[],
  planId: string | null,
): Artefact | undefined {
  const plan = artefacts.find(({ id }) => id === planId);
  if (plan === undefined) return undefined;
  return artefacts
    .filter(
      ({ id, kind, phase, at }) =>
        id !== plan.id && kind === plan.kind && phase === plan.phase && at <= plan.at,
    )
    .sort((a, b) => a.at.localeCompare(b.at))
    .at(-1);
}

interface PlanViewProps {
  job: Job;
  /** Null: the phase has posted no plan. */
  artefactId: string | null;
  /** Receives whether its text is on the screen. */
  onSeen?: (isThere: boolean) => void;
}

/** The plan with its outline, and what has changed since the plan before. */
export function PlanView(props: PlanViewProps) {
  const { client } = useDashboard();
  const artefactId = createMemo(() => props.artefactId);
  const [text, { refetch }] = createReading(artefactId, async (id) => ({
    id,
    text: await readPlan(client, props.job.id, id),
  }));
  const isThere = () => artefactId() === null || (!text.error && text.latest?.id === artefactId());
  createEffect(() => props.onSeen?.(isThere()));
  const plan = () => props.job.artefacts.find(({ id }) => id === artefactId());
  const before = createMemo(() => findEarlierPlan(props.job.artefacts, artefactId()), undefined, {
    equals: (a, b) => a?.id === b?.id,
  });
  return (
    <Switch>
      <Match when={text.error}>
        <Problem error={text.error} retry={() => void refetch()} />
      </Match>
      <Match when={artefactId() === null}>
        <p class="muted">The phase has posted no plan. See its log and its changes.</p>
      </Match>
      <Match when={text.latest}>
        {(shownPlan) => (
          <PlanDocument
            jobId={props.job.id}
            text={shownPlan().text}
            plan={plan()}
            before={before()}
          />
        )}
      </Match>
      <Match when={true}>
        <p class="muted">Loading the plan …</p>
      </Match>
    </Switch>
  );
}

function PlanDocument(props: {
  jobId: string;
  text: string;
  plan: Artefact | undefined;
  before: Artefact | undefined;
}) {
  const { shell } = useDashboard();
  const [headings, setHeadings] = createSignal<readonly Heading[]>([]);
  const [compares, setCompares] = createSignal(false);
  return (
    <section class="plan" aria-label={`Plan: ${props.plan?.title ?? 'untitled'}`}>
      <Show when={headings().length > 1 && !compares()}>
        <Outline headings={headings()} />
      </Show>
      <div class="plan-text">
        <div class="row plan-head">
          <small class="grow" title={props.plan ? formatKibibytes(props.plan.size) : undefined}>
            <bdi>{props.plan?.title}</bdi>
          </small>
          <button
            type="button"
            class="quiet icon-only"
            aria-label="Copy the plan as Markdown"
            title="Copy the plan as Markdown"
            onClick={() => void copyMarkdown(shell, 'plan', props.text)}
          >
            <Icon name="copy" />
          </button>
          <Show when={props.before}>
            <div class="choice">
              <button type="button" aria-pressed={!compares()} onClick={() => setCompares(false)}>
                Plan
              </button>
              <button type="button" aria-pressed={compares()} onClick={() => setCompares(true)}>
                Changes to the plan before
              </button>
            </div>
          </Show>
        </div>
        <Show
          when={compares() && props.before}
          keyed
          fallback={<Markdown text={props.text} onHeadings={setHeadings} />}
        >
          {(before) => <PlanChanges jobId={props.jobId} before={before} text={props.text} />}
        </Show>
      </div>
    </section>
  );
}

function Outline(props: { headings: readonly Heading[] }) {
  const top = createMemo(() => Math.min(...props.headings.map(({ level }) => level)));
  return (
    <nav class="outline" aria-label="Outline of the plan">
      <details open={matchMedia('(min-width: 1300px)').matches}>
        <summary>Outline</summary>
        <ol class="plain">
          <For each={props.headings}>
            {({ level, text, element }) => (
              <li style={{ '--level': level - top() }}>
                <button
                  type="button"
                  class="quiet"
                  title={text}
                  onClick={() => {
                    element.tabIndex = -1;
                    element.scrollIntoView({ block: 'start' });
                    element.focus({ preventScroll: true });
                  }}
                >
                  <bdi>{text}</bdi>
                </button>
              </li>
            )}
          </For>
        </ol>
      </details>
    </nav>
  );
}
