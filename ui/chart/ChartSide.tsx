import { createMemo, For, Match, Show, Switch } from 'solid-js';
import type { ChartArrow, ChartNode, Machine, MachineReply } from '../../src/schema/machine.ts';
import type { WhatIfReply } from '../../src/schema/replies.ts';
import { tellArrow } from './describe.ts';
import { type DraftFacts, type EventDraft, eventDraft } from './eventDraft.ts';
import type { Item } from './items.ts';
import { leafPaths } from '../../src/domain/leafPaths.ts';
import { WhatIf } from './WhatIf.tsx';

/** An arrow with the state that it leaves. */
export interface Leaving {
  arrow: ChartArrow;
  source: ChartNode;
}

interface ChartSideProps {
  machine: Machine;
  states: ReadonlyMap<string, ChartNode>;
  arrows: ReadonlyMap<string, Leaving>;
  /**
   * Paths of the current leaf states; empty = the chart alone, not a running instance.
   */
  state: readonly string[];
  open: MachineReply['open'];
  selected: Item | null;
  select: (item: Item | null) => void;
  facts: DraftFacts;
  /** Asks what an event would lead to; absent where no instance can be asked. */
  ask?: ((event: EventDraft) => Promise<WhatIfReply>) | undefined;
  predict: (paths: string[]) => void;
}

/** What is shown beside the picture: about the selection, else about the whole. */
export function ChartSide(props: ChartSideProps) {
  const chosenState = createMemo(() =>
    props.selected?.kind === 'box' ? props.states.get(props.selected.id) : undefined,
  );
  const chosenArrow = createMemo(() =>
    props.selected?.kind === 'way' ? props.arrows.get(props.selected.id) : undefined,
  );
  return (
    <aside class="chart-side" aria-label="Selection">
      <Show when={props.selected}>
        <button type="button" class="quiet chart-back" onClick={() => props.select(null)}>
          ← Back to chart
        </button>
      </Show>
      <Switch fallback={<Whole {...props} />}>
        <Match when={chosenArrow()}>
          {(leaving) => <OneArrow leaving={leaving()} side={props} />}
        </Match>
        <Match when={chosenState()}>{(state) => <OneState state={state()} side={props} />}</Match>
      </Switch>
    </aside>
  );
}

/** What a person can send comes first; the rest is sent by the runner and its agents. */
const PERSON = 'a developer';

function Whole(props: ChartSideProps) {
  const openWays = createMemo(() =>
    props.open.flatMap(({ arrow }) => {
      const leaving = props.arrows.get(arrow);
      return leaving ? [leaving] : [];
    }),
  );
  const ofPeople = () => openWays().filter(({ arrow }) => arrow.from === PERSON);
  const others = () => openWays().filter(({ arrow }) => arrow.from !== PERSON);
  const waits = createMemo(() =>
    props.state.flatMap((path) => props.states.get(path)?.waits ?? []),
  );
  return (
    <>
      <h2>{props.machine.label}</h2>
      <Show when={props.machine.description}>
        <p>{props.machine.description}</p>
      </Show>
      <Show when={props.state.length > 0}>
        <p>
          Now in <strong>{props.state.join(' and ')}</strong>.
        </p>
        <For each={waits()}>{(wait) => <p>Waiting {wait}.</p>}</For>
        <Show when={ofPeople().length > 0}>
          <h3>Actions for you</h3>
          <ArrowList list={ofPeople()} side={props} />
        </Show>
        <Show when={others().length > 0}>
          <h3>Other events</h3>
          <ArrowList list={others()} side={props} />
        </Show>
      </Show>
      <Show when={props.machine.kind === 'actor'}>
        <h3>Version {props.machine.version}</h3>
        <ul>
          <For each={props.machine.versions}>
            {({ version, says }) => (
              <li>
                {version}: {says || 'no description'}
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Legend live={props.state.length > 0} workflow={props.machine.kind === 'workflow'} />
    </>
  );
}

function Legend(props: { live: boolean; workflow: boolean }) {
  return (
    <details class="chart-legend">
      <summary>Legend</summary>
      <ul>
        <li>
          <code class="event">event</code> <code class="guard">[guard]</code>{' '}
          <code class="effect">/ effect</code>: what triggers a transition, its condition, and what
          it does
        </li>
        <li>a transition without an event is taken as soon as its guard passes</li>
        <li>
          a dotted line groups several transitions, which are listed in the states that they leave
        </li>
        <Show when={props.workflow}>
          <li>
            a dashed line: the agent's instructions send it there with{' '}
            <code class="event">goto_phase</code>; the agent itself may go to any phase
          </li>
        </Show>
        <Show when={props.live}>
          <li>
            filled: the current state; blue transitions are open, those with a dashed edge depend on
            the event
          </li>
        </Show>
        <li>keys: arrows move between boxes, Enter opens, Escape closes, + − 0 zoom</li>
      </ul>
    </details>
  );
}

function ArrowList(props: { list: readonly Leaving[]; side: ChartSideProps }) {
  return (
    <ul class="plain chart-ways">
      <For each={props.list}>
        {({ arrow, source }) => {
          const reported = tellArrow(arrow, source.path);
          const openness = () => props.side.open.find((one) => one.arrow === arrow.id)?.open;
          return (
            <li>
              <button
                type="button"
                class="chart-way"
                onClick={() => props.side.select({ kind: 'way', id: arrow.id })}
              >
                <span>
                  <code class="event">{arrow.event || '(immediately)'}</code>
                  <Show when={arrow.guard}>
                    {(guard) => <code class="guard"> [{guard().name}]</code>}
                  </Show>
                  <Show when={openness()}>
                    <small class="chart-open">{openness() === true ? 'open' : 'depends'}</small>
                  </Show>
                </span>
                <small>{reported.to}</small>
              </button>
            </li>
          );
        }}
      </For>
    </ul>
  );
}

function OneState(props: { state: ChartNode; side: ChartSideProps }) {
  const ways = createMemo(() =>
    props.state.arrows.map((arrow) => ({ arrow, source: props.state })),
  );
  return (
    <>
      <h2>{props.state.name}</h2>
      <p class="muted">
        <code>{props.state.path}</code>
        <For each={props.state.tags}>{(tag) => <span class="pill">{tag}</span>}</For>
      </p>
      <Show when={props.state.description}>{(description) => <p>{description()}</p>}</Show>
      <For each={props.state.waits}>{(wait) => <p>Waiting {wait}.</p>}</For>
      <Effects title="On entry" effects={props.state.entry} />
      <Effects title="On exit" effects={props.state.exit} />
      <h3>Transitions</h3>
      <Show when={ways().length > 0} fallback={<p class="muted">None.</p>}>
        <ArrowList list={ways()} side={props.side} />
      </Show>
    </>
  );
}

function Effects(props: { title: string; effects: ChartNode['entry'] }) {
  return (
    <Show when={props.effects.length > 0}>
      <h3>{props.title}</h3>
      <ul>
        <For each={props.effects}>
          {({ name, kind }) => (
            <li>
              <code class={kind === 'outside' ? 'effect' : ''}>{name}</code>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

function OneArrow(props: { leaving: Leaving; side: ChartSideProps }) {
  const reported = createMemo(() => tellArrow(props.leaving.arrow, props.leaving.source.path));
  const draft = createMemo(() => eventDraft(props.leaving.arrow.event, props.side.facts));
  return (
    <>
      <h2>
        <code>{props.leaving.arrow.event || 'Immediately'}</code>
      </h2>
      <dl class="chart-facts">
        <dt>From</dt>
        <dd>{props.leaving.source.path || 'the root'}</dd>
        <dt>On</dt>
        <dd>{reported().on}</dd>
        <Show when={props.leaving.arrow.guard}>
          {(guard) => (
            <>
              <dt>When</dt>
              <dd>
                {reported().when} <code class="guard">[{guard().name}]</code>
              </dd>
            </>
          )}
        </Show>
        <dt>Then</dt>
        <dd>it {reported().to}</dd>
        <Show when={reported().does.length > 0}>
          <dt>Does</dt>
          <dd>
            <ul>
              <For each={reported().does}>{(effect) => <li>{effect}</li>}</For>
            </ul>
          </dd>
        </Show>
      </dl>
      <Show when={props.leaving.arrow.event !== '' && props.side.ask}>
        {(ask) => (
          <WhatIf
            draft={draft()}
            ask={ask()}
            answered={(reply) => props.side.predict(reply?.accepted ? leafPaths(reply.value) : [])}
          />
        )}
      </Show>
    </>
  );
}
