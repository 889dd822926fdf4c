import { createEffect, For, on, onCleanup, onMount, Show } from 'solid-js';
import { formatZoneTime } from '../../src/base/time/formatZoneTime.ts';
import type { ScheduleRun, ScheduleView } from '../../src/contract/schema/runner/schedule.ts';
import { JobLink } from '../jobs/JobLink.tsx';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { useStore } from '../shell/useStore.ts';
import './schedules.css';

/** How often a visible page reads them again, ms. */
const AGAIN_MS = 10_000;

const STATES = {
  on: { says: 'On', tone: 'good' },
  off: { says: 'Off', tone: '' },
  paused: { says: 'Paused', tone: 'bad' },
} as const;

const OUTCOMES = { started: 'Started', skipped: 'Skipped', refused: 'Not created' } as const;

function Run(props: { run: ScheduleRun }) {
  return (
    <li>
      <span title={formatDateTime(props.run.time)}>
        {formatAge(props.run.time, nowForAges())}
        <Show when={props.run.manual}>, by hand</Show>
      </span>
      <span class="grow">
        <Show when={props.run.jobId} fallback={OUTCOMES[props.run.state]}>
          {(id) => <JobLink jobId={id()} />}
        </Show>
        <Show when={props.run.problem}>{(problem) => <small dir="auto"> {problem()}</small>}</Show>
      </span>
    </li>
  );
}

function Schedule(props: { schedule: ScheduleView; onChange: () => void }) {
  const { run } = useDashboard();
  const name = () => props.schedule.name;
  const send = async (says: string, act: 'runSchedule' | 'resumeSchedule') => {
    if (await run(says, (client) => client[act](name()))) props.onChange();
  };
  return (
    <section class="schedule" aria-labelledby={`schedule-${name()}`}>
      <div class="row">
        <h2 id={`schedule-${name()}`} class="grow">
          {name()}
        </h2>
        <span class={`pill ${STATES[props.schedule.state].tone}`}>
          {STATES[props.schedule.state].says}
        </span>
        <Show when={props.schedule.state === 'paused'}>
          <button
            type="button"
            class="primary"
            aria-label={`Resume ${name()}`}
            onClick={() => void send(`Schedule ${name()} resumed.`, 'resumeSchedule')}
          >
            Resume
          </button>
        </Show>
        <button
          type="button"
          aria-label={`Run now: ${name()}`}
          onClick={() => void send(`Job of ${name()} created.`, 'runSchedule')}
        >
          <Icon name="play" /> Run now
        </button>
      </div>
      <p class="muted">
        <code>{props.schedule.cron}</code> {props.schedule.timeZone}, {props.schedule.workflow}
      </p>
      <Show when={props.schedule.state === 'paused'}>
        <p>Paused after {props.schedule.failures} failures in a row.</p>
      </Show>
      <Show when={props.schedule.problem}>
        {(problem) => (
          <p class="schedule-problem" dir="auto">
            <Icon name="warn" /> The next job cannot be created: {problem()}
          </p>
        )}
      </Show>
      <div class="schedule-times">
        <Show when={props.schedule.next.length > 0}>
          <div>
            <h3>Next</h3>
            <ul class="plain">
              <For each={props.schedule.next}>
                {(time) => (
                  <li title={formatDateTime(time)}>
                    {formatZoneTime(time, props.schedule.timeZone)}
                  </li>
                )}
              </For>
            </ul>
          </div>
        </Show>
        <Show when={props.schedule.runs.length > 0}>
          <div class="grow">
            <h3>Last</h3>
            <ul class="plain schedule-runs">
              <For each={props.schedule.runs}>{(one) => <Run run={one} />}</For>
            </ul>
            <Show when={props.schedule.waiting > 0}>
              <p class="muted">{props.schedule.waiting} waiting for the job before to end</p>
            </Show>
          </div>
        </Show>
      </div>
    </section>
  );
}

/** The schedules of the configuration: when their jobs are created, and what came of the last times. */
export function SchedulesPage() {
  const { client, shell } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const [list, { refetch }] = createReading(() => client.schedules());
  const again = () => void refetch();
  createEffect(on(reconnects, again, { defer: true }));
  onMount(() => {
    const timer = setInterval(() => document.hidden || again(), AGAIN_MS);
    onCleanup(() => clearInterval(timer));
  });
  const findSchedule = (name: string) => list.latest?.find((one) => one.name === name);
  return (
    <div class="page schedules-page">
      <div class="page-head">
        <h1>Schedules</h1>
        <a class="button quiet" href="#/settings/schedules">
          <Icon name="sliders" /> Edit schedules
        </a>
      </div>
      <ReadingView reading={list} retry={again}>
        {/* By name: a list that is read again must not take the focus from a button. */}
        <For
          each={list.latest?.map(({ name }) => name) ?? []}
          fallback={
            <Show when={!list.loading} fallback={<p class="muted">Loading …</p>}>
              <div class="empty">
                <h2>No schedules yet</h2>
                <p>A schedule starts a job at times: a cron expression and a workflow.</p>
                <p class="row">
                  <a class="button primary" href="#/settings/schedules">
                    <Icon name="plus" /> Add a schedule
                  </a>
                </p>
              </div>
            </Show>
          }
        >
          {(name) => (
            <Show when={findSchedule(name)}>
              {(schedule) => <Schedule schedule={schedule()} onChange={again} />}
            </Show>
          )}
        </For>
      </ReadingView>
    </div>
  );
}
