import { createMemo, createSignal, For, Show, createUniqueId } from 'solid-js';
import { useStore } from '../../shell/useStore.ts';
import { toPlainEvent, toPlainHeading, toPlainState } from '../../chart/picture/plainWords.ts';
import { formatTimeWithDay } from '../jobText.ts';
import { describeRunnerAct } from '../plainText.ts';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { describeJobNow } from './JobHead.tsx';
import { useJob } from './jobView.ts';
import { buildStatusSentence, listStatusSentences } from './listStatusSentences.ts';
import type { WhyReply } from '../../../src/contract/schema/api/replies.ts';
import { createEventDraft } from '../../chart/eventDraft.ts';
import { WhatIf } from '../../chart/WhatIf.tsx';
import { useDashboard } from '../../shell/dashboard.ts';

/** What one of several events would lead to: computed by the chart, nothing is done. */
function WhatIfPanel(props: { events: readonly string[] }) {
  const { client } = useDashboard();
  const { job } = useJob();
  const id = createUniqueId();
  const [type, setType] = createSignal(props.events[0] ?? '');
  const facts = createMemo(() => ({ job: job().id, phase: job().phase, prs: job().prMappings }));
  return (
    <div class="stack">
      <h3>What if</h3>
      <div class="row">
        <label for={id}>Event</label>
        <select
          id={id}
          class="fit"
          value={type()}
          onChange={(event) => setType(event.currentTarget.value)}
        >
          <For each={props.events}>
            {(event) => (
              <option value={event} title={event}>
                {toPlainHeading(event)}
              </option>
            )}
          </For>
        </select>
      </div>
      <WhatIf
        draft={createEventDraft(type(), facts())}
        facts={facts()}
        stamp={String(job().journalLength)}
        ask={(event) => client.whatIf(job().id, event)}
      />
    </div>
  );
}

type WayOut = WhyReply['waysOut'][number];

/** Transitions that change the state, then notes. Internal events without a change are left out. */
export function pickWaysOut(ways: readonly WayOut[]): WayOut[] {
  const byPeople = ({ from }: WayOut) => /developer/.test(from);
  const leads = ways.filter(({ target }) => target !== null);
  const notes = ways.filter((way) => way.target === null && way.open !== false && byPeople(way));
  return [...leads.filter(byPeople), ...leads.filter((way) => !byPeople(way)), ...notes];
}

export function WhyPanel() {
  const { store, job } = useJob();
  const why = useStore(store, (context) => context.why);
  const ways = createMemo(() => pickWaysOut(why()?.waysOut ?? []));
  // The account is already named above.
  const waits = createMemo(() =>
    (why()?.waitsFor ?? []).filter((words) => !words.includes(job().parked?.pool ?? '\n')),
  );
  const [isOpen, setIsOpen] = createSignal(false);
  /** What the head does not say already. */
  const sentences = createMemo(() => {
    const head = buildStatusSentence(job(), why()?.waitsFor ?? [])
      .map(({ text }) => text)
      .join('');
    return listStatusSentences(job(), waits()).filter((text) => text !== head);
  });
  const stateText = () =>
    job()
      .state.map((path) => toPlainState(path, path))
      .join(', ');
  // The sentence above says it of a session that runs; its card says when a quota ends.
  const effects = () =>
    (why()?.pendingEffects ?? []).filter(
      ({ type, attempt }) => type !== 'session.open' || attempt > 1 || sentences().length === 0,
    );
  const timers = () =>
    (why()?.timers ?? []).filter(
      ({ name }) => name !== 'quota' || job().parked?.until === undefined,
    );
  return (
    <section class="section why">
      <div class="section-head">
        <h2>Status</h2>
        <Show when={stateText() !== describeJobNow(job())}>
          <small title={job().state.join(', ')}>{stateText()}</small>
        </Show>
      </div>
      <ul class="waits">
        <For
          each={sentences()}
          fallback={
            <Show when={job().ended}>
              <li>{describeEndedJob(job().status)}</li>
            </Show>
          }
        >
          {(words) => <li dir="auto">{words}</li>}
        </For>
        <For each={effects()}>
          {(effect) => (
            <li>
              <span title={effect.type}>{describeRunnerAct(effect.type)}</span>
              {effect.attempt > 1 ? `, attempt ${effect.attempt}` : ''}
            </li>
          )}
        </For>
        <For each={timers()}>
          {(timer) => (
            <li>
              Timer <span title={timer.name}>{toPlainEvent(timer.name)}</span> at{' '}
              {formatTimeWithDay(timer.due, nowForAges())}
            </li>
          )}
        </For>
      </ul>
      <Show when={(why()?.refused ?? []).length > 0}>
        <h3>Blocked by rules</h3>
        <ul class="waits">
          <For each={why()?.refused}>
            {(call) => (
              <li dir="auto">
                <b>{call.tool === '' ? 'the end of the phase' : call.tool}</b> in {call.phase}
                {call.times > 1 ? `, ${call.times} times, last` : ','}{' '}
                {formatTimeWithDay(call.at, nowForAges())}: {call.message}
              </li>
            )}
          </For>
        </ul>
      </Show>
      <details open={isOpen()} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>What happens next</summary>
        <div class="scroll">
          <table class="ways">
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">From</th>
                <th scope="col">Leads to</th>
                <th scope="col">If</th>
              </tr>
            </thead>
            <tbody>
              <For each={ways()}>
                {(way) => (
                  <tr class={way.open === false ? 'closed' : ''}>
                    <th scope="row">
                      <span title={way.event}>{toPlainHeading(way.event)}</span>
                    </th>
                    <td>{way.from}</td>
                    <td title={way.target ?? undefined}>
                      {way.target === null ? 'stays' : toPlainState(way.target, way.target)}
                    </td>
                    <td>
                      <For each={way.guards} fallback={way.open === true ? 'always' : ''}>
                        {(guard) => (
                          <div>
                            {guard.says}{' '}
                            <small>
                              {guard.value === 'depends'
                                ? 'depends on the event'
                                : guard.value
                                  ? 'yes'
                                  : 'no'}
                            </small>
                          </div>
                        )}
                      </For>
                    </td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </div>
        <Show when={isOpen()}>
          <WhatIfPanel
            events={[
              ...new Set(
                ways()
                  .filter(({ open }) => open !== false)
                  .map(({ event }) => event),
              ),
            ]}
          />
        </Show>
      </details>
    </section>
  );
}

const describeEndedJob = (status: string): string =>
  status === 'complete' ? 'Complete.' : 'The job has ended.';
