import { createEffect, createSignal, For, on, Show } from 'solid-js';
import type { SimulationReply } from '../../src/contract/schema/workflow/simulation.ts';
import { toPlainHeading, toPlainState } from '../chart/picture/plainWords.ts';
import type { TrailStep } from '../chart/trail.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { createDraft } from '../shell/drafts/drafts.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { OlderResult } from '../shell/problems/OlderResult.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import './simulate.css';

const STEPS: readonly { says: string; yaml: string }[] = [
  { says: 'A person approves', yaml: '- approve' },
  { says: 'A person asks for changes', yaml: '- reject' },
  { says: 'A person writes a message', yaml: '- message: Please look again.' },
  { says: 'A pull request is merged', yaml: '- event: merged' },
  { says: 'Changes are requested', yaml: '- event: changes_requested' },
  { says: 'The agent goes to a phase', yaml: '- goto: coding' },
  { says: 'The agent escalates', yaml: '- escalate: I need a decision.' },
  { says: 'The agent fails', yaml: '- end: error' },
  { says: 'A sub-run fails', yaml: '- sub-run: { name: first, outcome: failed }' },
  { says: 'Time passes', yaml: '- wait: 2h' },
  { says: 'Expect a phase', yaml: '- expect: { phase: coding }' },
  { says: 'Stop here', yaml: '- stop' },
];

const appendScriptStep = (script: string, yaml: string): string =>
  script.trim() === '' ? `${yaml}\n` : `${script.trimEnd()}\n${yaml}\n`;

const padTimePart = (count: number): string => String(count).padStart(2, '0');

/** Time since the beginning: `0:00:05`, `26:10:00`. */
const formatSimulatedTime = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 3600)}:${padTimePart(Math.floor(seconds / 60) % 60)}:${padTimePart(seconds % 60)}`;
};

const OUTCOMES: Readonly<Record<string, string>> = {
  complete: 'Complete',
  failed: 'Failed',
  escalated: 'Escalated',
  cancelled: 'Cancelled',
  rests: 'Waits for a decision',
  stopped: 'Stopped by the script',
  endless: 'Repeats without end',
};

const describeStepOutcome = (outcome: string): string => OUTCOMES[outcome] ?? outcome;

export interface SimulatedPath {
  /** Of the moment that was chosen; null = none is. */
  phase: string | null;
  /** Phases up to it, or up to the end, in order, each with the time since the job was created. */
  trail: TrailStep[];
}

/** Path of the end in the chart of a workflow. */
const COMPLETE = '(complete)';

/** The phases of a simulation in order, each visit once. `last`: index of the last moment that counts. */
export function listSimulatedPhases(
  { timeline, outcome, took }: Pick<SimulationReply, 'timeline' | 'outcome' | 'took'>,
  last = timeline.length - 1,
): TrailStep[] {
  const steps = timeline
    .slice(0, last + 1)
    .map(({ phase, at }): TrailStep => ({ path: phase, time: formatSimulatedTime(at) }));
  if (outcome === 'complete' && last === timeline.length - 1)
    steps.push({ path: COMPLETE, time: formatSimulatedTime(took) });
  return steps.filter(({ path }, n) => path !== steps[n - 1]?.path);
}

interface WorkflowSimulationProps {
  path: string;
  text: string;
  repo: string | null;
  /** A script to be played now, whatever was written before, or a step after that; null = none. */
  given: { script: string } | { step: string } | null;
  /** What is to be shown in the chart: the phase of a moment, and the way there; null = nothing. */
  choose: (simulatedPath: SimulatedPath | null) => void;
}

/** Plays the workflow as written now, like `svc workflow simulate`: nothing outside it runs. */
export function WorkflowSimulation(props: WorkflowSimulationProps) {
  const { client, connection } = useDashboard();
  const script = createDraft({ job: `workflow ${props.path}`, field: 'simulation' });
  const [lastResult, setLastResult] = createSignal<{ reply: SimulationReply; of: string } | null>(
    null,
  );
  const [problem, setProblem] = createSignal<unknown>(null);
  const [busy, setBusy] = createSignal(false);
  const [chosenMoment, setChosenMoment] = createSignal<number | null>(null);
  /** All that a result depends on and a person can change. */
  const buildSimulationKey = () => JSON.stringify([props.text, script.text()]);
  const reply = () => lastResult()?.reply ?? null;
  const isOld = () => lastResult() !== null && lastResult()?.of !== buildSimulationKey();
  const unchoose = () => {
    setChosenMoment(null);
    props.choose(null);
  };
  // The chart is drawn from the text of now: a moment of an earlier one has no place in it.
  createEffect(on(isOld, (old) => old && unchoose(), { defer: true }));

  async function simulate(event?: SubmitEvent): Promise<void> {
    event?.preventDefault();
    if (busy()) return;
    setBusy(true);
    setLastResult(null);
    setProblem(null);
    unchoose();
    try {
      const { path, text, repo } = props;
      const of = buildSimulationKey();
      const answer = await client.simulateWorkflow({
        path,
        text,
        script: script.text(),
        ...(repo === null ? {} : { repo }),
      });
      setLastResult({ reply: answer, of });
      // The text may have changed meanwhile: the chart shows another one then.
      if (!isOld()) props.choose({ phase: null, trail: listSimulatedPhases(answer) });
    } catch (error) {
      connection.report(error);
      setProblem(() => error);
    } finally {
      setBusy(false);
    }
  }

  createEffect(
    on(
      () => props.given,
      (input) => {
        if (!input) return;
        script.write('step' in input ? appendScriptStep(script.text(), input.step) : input.script);
        void simulate();
      },
    ),
  );

  function show(n: number): void {
    const simulation = reply();
    const moment = simulation?.timeline[n];
    // The chart shows another text now.
    if (!simulation || !moment || isOld()) return;
    setChosenMoment(n);
    props.choose({ phase: moment.phase, trail: listSimulatedPhases(simulation, n) });
  }

  return (
    <form class="simulate section" onSubmit={simulate} aria-labelledby="simulate-title">
      <h3 id="simulate-title">Simulate</h3>
      <p class="muted">
        Simulates a job of this workflow without agents. Without script steps, everything goes as
        the workflow expects.
      </p>
      <label class="field">
        Script
        <textarea
          class="mono"
          rows={Math.min(12, Math.max(3, script.text().split('\n').length))}
          spellcheck={false}
          placeholder="- reject"
          value={script.text()}
          onInput={({ currentTarget }) => script.write(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void simulate();
          }}
        />
      </label>
      <div class="row">
        <label class="add-step">
          Add a step
          <select
            value=""
            onChange={({ currentTarget }) => {
              if (currentTarget.value !== '')
                script.write(appendScriptStep(script.text(), currentTarget.value));
              currentTarget.value = '';
            }}
          >
            <option value="">choose …</option>
            <For each={STEPS}>{({ says, yaml }) => <option value={yaml}>{says}</option>}</For>
          </select>
        </label>
        <button type="submit" class="primary" disabled={busy()} title="Ctrl+Enter">
          <Icon name="play" /> Simulate
        </button>
      </div>
      <Show when={problem()}>{(error) => <Problem error={error()} />}</Show>
      <OlderResult
        isOld={isOld()}
        of="an earlier text or script"
        again={{ says: 'Simulate again', busy: busy(), do: () => void simulate() }}
      >
        <div role="status">
          <Show when={reply()}>{(simulation) => <Outcome reply={simulation()} />}</Show>
        </div>
        <Show when={reply()}>
          {(simulation) => (
            <ol class="plain moments" aria-label="What happened">
              <For each={simulation().timeline}>
                {(moment, n) => (
                  <li>
                    <button
                      type="button"
                      class="moment"
                      aria-pressed={chosenMoment() === n()}
                      aria-disabled={isOld()}
                      onClick={() => show(n())}
                    >
                      <time>{formatSimulatedTime(moment.at)}</time>
                      <span title={`${moment.event} from ${moment.by}`}>
                        {moment.event === 'start' ? 'The job starts' : toPlainHeading(moment.event)}
                      </span>
                      <span class="muted" title={moment.state}>
                        {toPlainState(moment.state, moment.state)}
                      </span>
                      <bdi class="pill literal">{moment.phase}</bdi>
                    </button>
                  </li>
                )}
              </For>
            </ol>
          )}
        </Show>
      </OlderResult>
    </form>
  );
}

function Outcome(props: { reply: SimulationReply }) {
  const missedPhases = () =>
    props.reply.coverage.filter(({ reached }) => !reached).map(({ phase }) => phase);
  const why = () =>
    props.reply.message ?? props.reply.waitsFor.map((reason) => `It waits ${reason}.`).join(' ');
  return (
    <>
      <p>
        <strong>{describeStepOutcome(props.reply.outcome)}</strong> after{' '}
        {formatSimulatedTime(props.reply.took)}. <span dir="auto">{why()}</span>
      </p>
      <p>
        {props.reply.coverage.length - missedPhases().length} of {props.reply.coverage.length}{' '}
        phases reached
        <Show when={missedPhases().length > 0} fallback=".">
          ; not: <bdi>{missedPhases().join(', ')}</bdi>.
        </Show>
      </p>
      <Show when={props.reply.broken}>
        <p class="chart-wrong">
          The workflow has errors, so no job can run it. This is what could be read.
        </p>
      </Show>
      <Show when={props.reply.failures.length > 0}>
        <ul class="script-failures">
          <For each={props.reply.failures}>
            {({ line, column, message }) => (
              <li>
                <code>
                  {line}:{column}
                </code>{' '}
                {message}
              </li>
            )}
          </For>
        </ul>
      </Show>
    </>
  );
}
