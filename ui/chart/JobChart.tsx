import { createEffect, createMemo, createSignal, on, onCleanup, Show } from 'solid-js';
import type { DetectedLoop } from '../../src/contract/schema/session/detectedLoop.ts';
import type { MachineReply } from '../../src/contract/schema/workflow/machine.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { ChartView } from './ChartView.tsx';
import { JobPath } from './JobPath.tsx';
import { formatDuration } from '../jobs/jobText.ts';
import type { TrailStep } from './trail.ts';
import type { VisitTimes } from '../../src/contract/schema/job/timeline.ts';
import type { DraftFacts } from './eventDraft.ts';
import { flattenStates } from './picture/buildMachineGraph.ts';

/** Path of the end in the chart of a workflow. */
const COMPLETE = '(complete)';

/**
 * The charts of one job: its life, and its workflow. `stamp`: whatever changes when the job has
 * moved on; `state`: where it is, as soon as that is known, before the rest is.
 */
export function JobChart(props: {
  jobId: string;
  stamp: unknown;
  state?: readonly string[] | undefined;
  prs?: DraftFacts['prs'];
  /** The phases that it repeats, where that is why it waits. */
  loop?: DetectedLoop | undefined;
  /** The visit that the decision layer has flagged, and why; left out = it has not. */
  flagged?: { phase: string; why: string } | undefined;
  /** Phases whose newest rating flags them. Default: none. */
  flaggedPhases?: readonly string[];
  /** Its visits of phases so far, in order. Default: none. */
  visits?: readonly VisitTimes[];
}) {
  const { client, connection } = useDashboard();
  const [reply, setReply] = createSignal<MachineReply>();
  const [problem, setProblem] = createSignal<unknown>(null);
  const [tab, setTab] = createSignal<'life' | 'workflow'>('workflow');
  const [showsPath, setShowsPath] = createSignal(false);
  /** Its visits with their times, up to where it is: a phase without an agent has no visit. */
  const trail = (): TrailStep[] => {
    const visits = props.visits ?? [];
    const here = inWorkflow().filter((phase) => phase !== visits.at(-1)?.phase);
    return [
      ...visits.map(({ phase, workMs, waitMs }) => ({
        path: phase,
        time: formatDuration(workMs + waitMs),
      })),
      ...here.map((path) => ({ path, time: null })),
    ];
  };
  let requests = 0;
  onCleanup(() => {
    requests = Number.NaN;
  });

  async function read(): Promise<void> {
    requests += 1;
    const mine = requests;
    try {
      const machines = await client.machine(props.jobId);
      if (mine !== requests) return;
      setReply(machines);
      setProblem(null);
    } catch (error) {
      connection.report(error);
      if (mine === requests) setProblem(() => error);
    }
  }
  createEffect(on([() => props.jobId, () => props.stamp], () => void read()));

  const state = createMemo(() => props.state ?? reply()?.state ?? []);
  const facts = createMemo(() => ({
    phase: reply()?.phase ?? '',
    phases:
      reply()
        ?.workflow.definition.states.filter(({ type }) => type !== 'final')
        .map(({ name }) => name) ?? [],
    ...(props.prs ? { prs: props.prs } : {}),
  }));
  /** In each phase a job can wait for many things, of which only the chart of its life knows which. */
  const waits = createMemo(() => {
    const machines = reply();
    if (!machines) return [];
    return flattenStates(machines.definition)
      .filter(({ path }) => state().includes(path))
      .flatMap((one) => one.waits);
  });
  /** Where it is in its workflow: an ended job is in no phase any more. */
  const inWorkflow = () => {
    const endedPath = state().find((path) => path.startsWith('ended'));
    if (endedPath === undefined) return [facts().phase];
    return endedPath === 'ended.complete' ? [COMPLETE] : [];
  };
  return (
    <Show
      when={reply()}
      fallback={
        <Show when={problem()} fallback={<p class="muted">Loading the chart …</p>}>
          {(error) => <Problem error={error()} retry={() => void read()} />}
        </Show>
      }
    >
      {(machines) => (
        <>
          <div class="choice" role="tablist" aria-label="Which chart">
            <button
              type="button"
              role="tab"
              aria-selected={tab() === 'workflow'}
              onClick={() => setTab('workflow')}
            >
              Workflow
            </button>
            <button
              type="button"
              role="tab"
              aria-selected={tab() === 'life'}
              onClick={() => setTab('life')}
            >
              Job lifecycle
            </button>
          </div>
          <Show
            when={tab() === 'life'}
            fallback={
              <>
                <Show when={props.loop}>
                  {(loop) => (
                    <p class="loop-way">
                      Without progress, {loop().times} times:{' '}
                      <bdi>{[loop().phases.at(-1), ...loop().phases].join(' → ')}</bdi>
                    </p>
                  )}
                </Show>
                <Show when={props.flagged}>
                  {(flag) => (
                    <p class="flagged-phase" dir="auto">
                      <Icon name="warn" /> The phase <bdi>{flag().phase}</bdi> is flagged:{' '}
                      {flag().why}
                    </p>
                  )}
                </Show>
                <Show when={(props.visits ?? []).length > 1}>
                  <JobPath visits={props.visits ?? []} isShown={showsPath()} show={setShowsPath} />
                </Show>
                <ChartView
                  machine={machines().workflow}
                  state={inWorkflow()}
                  waits={waits()}
                  loop={props.loop?.phases}
                  flagged={props.flaggedPhases}
                  trail={showsPath() ? trail() : undefined}
                />
              </>
            }
          >
            <ChartView
              machine={machines()}
              state={state()}
              open={machines().open}
              facts={facts()}
              ask={(event) => client.whatIf(props.jobId, event)}
            />
          </Show>
        </>
      )}
    </Show>
  );
}
