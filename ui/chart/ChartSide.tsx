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
   * Paths of the leaf states that it is in; empty = it is shown as such, not as somebody's life.
   */
  state: readonly string[];
  open: MachineReply['open'];
  selected: Item | null;
  select: (item: Item | null) => void;
  facts: DraftFacts;
  /** Asks what an event would lead to; left out where there is nobody to ask. */
  ask?: ((event: EventDraft) => Promise<WhatIfReply>) | undefined;
  predict: (paths: string[]) => void;
}

/** What is told beside the picture: of what is chosen, else of the whole. */
export function ChartSide(props: ChartSideProps) {
  const chosenState = createMemo(() =>
    props.selected?.kind === 'box' ? props.states.get(props.selected.id) : undefined,
  );
  const chosenArrow = createMemo(() =>
    props.selected?.kind === 'way' ? props.arrows.get(props.selected.id) : undefined,
  );
  return (
    <aside class="chart-side" aria-label="What is chosen">
      <Show when={props.selected}>
        <button type="button" class="quiet chart-back" onClick={() => props.select(null)}>
          ← The whole
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

/** What a person can send stands first; the rest is what the runner and its agents bring. */
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
          It is in <strong>{props.state.join(' and ')}</strong>.
        </p>
        <For each={waits()}>{(wait) => <p>It waits {wait}.</p>}</For>
        <Show when={ofPeople().length > 0}>
          <h3>What you can do now</h3>
          <ArrowList list={ofPeople()} side={props} />
        </Show>
        <Show when={others().length > 0}>
          <h3>What else it listens for</h3>
          <ArrowList list={others()} side={props} />
        </Show>
      </Show>
      <Show when={props.machine.kind === 'actor'}>
        <h3>Version {props.machine.version}</h3>
        <ul>
          <For each={props.machine.versions}>
            {({ version, says }) => (
              <li>
                {version}: {says || 'nothing is said of it'}
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
      <summary>How to read it</summary>
      <ul>
        <li>
          <code class="event">event</code> <code class="guard">[guard]</code>{' '}
          <code class="effect">/ effect</code>: what an arrow is taken on, when, and what it asks of
          the outside
        </li>
        <li>an arrow without event is taken at once, when its guard passes</li>
        <li>
          a dotted line stands for several ways, which are written into the states that they leave
        </li>
        <Show when={props.workflow}>
          <li>
            a broken line: the instructions of the agent send it there by{' '}
            <code class="event">goto_phase</code>; by itself it may go to any phase
          </li>
        </Show>
        <Show when={props.live}>
          <li>
            filled: where it is now; blue ways are open, those with a broken edge depend on the
            event
          </li>
        </Show>
        <li>keys: arrows lead from box to box, Enter opens, Escape closes, + − 0 zoom</li>
      </ul>
    </details>
  );
}

function ArrowList(props: { list: readonly Leaving[]; side: ChartSideProps }) {
  return (
    <ul class="plain chart-ways">
      <For each={props.list}>
        {({ arrow, source }) => {
          const told = tellArrow(arrow, source.path);
          const openness = () => props.side.open.find((one) => one.arrow === arrow.id)?.open;
          return (
            <li>
              <button
                type="button"
                class="chart-way"
                onClick={() => props.side.select({ kind: 'way', id: arrow.id })}
              >
                <span>
                  <code class="event">{arrow.event || '(at once)'}</code>
                  <Show when={arrow.guard}>
                    {(guard) => <code class="guard"> [{guard().name}]</code>}
                  </Show>
                  <Show when={openness()}>
                    <small class="chart-open">{openness() === true ? 'open' : 'depends'}</small>
                  </Show>
                </span>
                <small>{told.to}</small>
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
      <For each={props.state.waits}>{(wait) => <p>It waits {wait}.</p>}</For>
      <Effects title="When it is entered" effects={props.state.entry} />
      <Effects title="When it is left" effects={props.state.exit} />
      <h3>Ways</h3>
      <Show when={ways().length > 0} fallback={<p class="muted">None of its own.</p>}>
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
  const told = createMemo(() => tellArrow(props.leaving.arrow, props.leaving.source.path));
  const draft = createMemo(() => eventDraft(props.leaving.arrow.event, props.side.facts));
  return (
    <>
      <h2>
        <code>{props.leaving.arrow.event || 'At once'}</code>
      </h2>
      <dl class="chart-told">
        <dt>From</dt>
        <dd>{props.leaving.source.path || 'the whole'}</dd>
        <dt>On</dt>
        <dd>{told().on}</dd>
        <Show when={props.leaving.arrow.guard}>
          {(guard) => (
            <>
              <dt>When</dt>
              <dd>
                {told().when} <code class="guard">[{guard().name}]</code>
              </dd>
            </>
          )}
        </Show>
        <dt>Then</dt>
        <dd>it {told().to}</dd>
        <Show when={told().does.length > 0}>
          <dt>Does</dt>
          <dd>
            <ul>
              <For each={told().does}>{(effect) => <li>{effect}</li>}</For>
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
