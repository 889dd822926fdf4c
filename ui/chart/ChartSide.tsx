import { createMemo, For, Match, Show, Switch } from 'solid-js';
import type {
  ChartArrow,
  ChartNode,
  Machine,
  MachineReply,
} from '../../src/contract/schema/workflow/machine.ts';
import type { WhatIfReply } from '../../src/contract/schema/api/replies.ts';
import { ChartLegend } from './ChartLegend.tsx';
import { toArrowWords } from './describeChart.ts';
import { staysInState } from './picture/buildMachineGraph.ts';
import { toPlainHeading, toPlainState } from './picture/plainWords.ts';
import { type DraftFacts, type EventDraft, createEventDraft } from './eventDraft.ts';
import type { ChartItem } from './chartItems.ts';
import { listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { toScriptStep } from './toScriptStep.ts';
import { WhatIf } from './WhatIf.tsx';

export interface LeavingArrow {
  arrow: ChartArrow;
  source: ChartNode;
}

interface ChartSideProps {
  machine: Machine;
  /** Whether events and states are called by their technical names. */
  technical: boolean;
  states: ReadonlyMap<string, ChartNode>;
  arrows: ReadonlyMap<string, LeavingArrow>;
  /** Paths of the current leaf states; empty = no running instance. */
  state: readonly string[];
  /** What the instance waits for; default: what the chart says of its states. */
  waits?: readonly string[] | undefined;
  open: MachineReply['open'];
  selected: ChartItem | null;
  select: (item: ChartItem | null) => void;
  facts: DraftFacts;
  /** Asks what an event would lead to; absent where no instance can be asked. */
  ask?: ((event: EventDraft) => Promise<WhatIfReply>) | undefined;
  predict: (paths: string[]) => void;
  /** Plays a step of a script; absent where nothing can be simulated. */
  simulate?: ((step: string) => void) | undefined;
}

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

/** Events that a person can send come first; the runner and its agents send the rest. */
const PERSON = 'a developer';

/** The name of a state in the chosen wording. */
const nameSideState = (side: ChartSideProps, path: string): string => {
  if (side.technical || side.machine.kind !== 'actor') return path || 'the root';
  return path === '' ? 'the whole chart' : toPlainState(path, path);
};

function describeArrowTarget({ arrow, source }: LeavingArrow, side: ChartSideProps): string {
  if (side.technical) return toArrowWords(arrow, source.path).to;
  if (staysInState(arrow, source.path)) return arrow.reenter ? 'begins it again' : 'stays';
  return `leads to ${arrow.targets.map((path) => nameSideState(side, path)).join(' and ')}`;
}

const nameArrowEvent = ({ event, guard }: ChartArrow, side: ChartSideProps): string =>
  event === '' ? 'Immediately' : side.technical ? event : toPlainHeading(event, guard?.name);

function Whole(props: ChartSideProps) {
  const openWays = createMemo(() =>
    props.open.flatMap(({ arrow }) => {
      const leaving = props.arrows.get(arrow);
      return leaving ? [leaving] : [];
    }),
  );
  const ofPeople = () => openWays().filter(({ arrow }) => arrow.from === PERSON);
  const others = () => openWays().filter(({ arrow }) => arrow.from !== PERSON);
  const waits = createMemo(
    () => props.waits ?? props.state.flatMap((path) => props.states.get(path)?.waits ?? []),
  );
  return (
    <>
      <h2>{props.machine.label}</h2>
      <Show when={props.machine.description}>
        <p dir="auto">{props.machine.description}</p>
      </Show>
      <Show when={props.state.length > 0}>
        <p>
          Now:{' '}
          <strong title={props.state.join(', ')}>
            {props.state.map((path) => nameSideState(props, path)).join(' and ')}
          </strong>
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
      <ChartLegend live={props.state.length > 0} workflow={props.machine.kind === 'workflow'} />
    </>
  );
}

function ArrowList(props: { list: readonly LeavingArrow[]; side: ChartSideProps }) {
  return (
    <ul class="plain chart-ways">
      <For each={props.list}>
        {({ arrow, source }) => {
          const openness = () => props.side.open.find((one) => one.arrow === arrow.id)?.open;
          return (
            <li>
              <button
                type="button"
                class="chart-way"
                onClick={() => props.side.select({ kind: 'way', id: arrow.id })}
              >
                <span title={arrow.event}>
                  <Show
                    when={props.side.technical}
                    fallback={<strong>{nameArrowEvent(arrow, props.side)}</strong>}
                  >
                    <code class="event">{arrow.event || '(immediately)'}</code>
                    <Show when={arrow.guard}>
                      {(guard) => <code class="guard"> [{guard().name}]</code>}
                    </Show>
                  </Show>
                  <Show when={openness()}>
                    <small class="chart-open">
                      {openness() === true ? 'possible now' : 'depends'}
                    </small>
                  </Show>
                </span>
                <Show when={!props.side.technical && arrow.guard}>
                  {(guard) => <small>if {guard().says}</small>}
                </Show>
                <small>{describeArrowTarget({ arrow, source }, props.side)}</small>
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
      <h2>
        <bdi>
          {props.side.technical || props.side.machine.kind !== 'actor'
            ? props.state.name
            : toPlainState(props.state.path, props.state.name)}
        </bdi>
      </h2>
      <p class="muted">
        <code>{props.state.path}</code>
        <For each={props.state.tags}>{(tag) => <span class="pill">{tag}</span>}</For>
      </p>
      <Show when={props.state.description}>
        {(description) => <p dir="auto">{description()}</p>}
      </Show>
      <For each={props.state.waits}>{(wait) => <p>Waiting {wait}.</p>}</For>
      <Show when={props.side.technical}>
        <Effects title="On entry" effects={props.state.entry} />
        <Effects title="On exit" effects={props.state.exit} />
      </Show>
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

function OneArrow(props: { leaving: LeavingArrow; side: ChartSideProps }) {
  const reported = createMemo(() => toArrowWords(props.leaving.arrow, props.leaving.source.path));
  const draft = createMemo(() => createEventDraft(props.leaving.arrow.event, props.side.facts));
  return (
    <>
      <h2>
        <Show
          when={props.side.technical}
          fallback={nameArrowEvent(props.leaving.arrow, props.side)}
        >
          <code>{props.leaving.arrow.event || 'Immediately'}</code>
        </Show>
      </h2>
      <dl class="chart-facts">
        <dt>From</dt>
        <dd>{nameSideState(props.side, props.leaving.source.path)}</dd>
        <Show
          when={props.side.technical}
          fallback={
            <Show when={props.leaving.arrow.from}>
              {(from) => (
                <>
                  <dt>Sent by</dt>
                  <dd>{from()}</dd>
                </>
              )}
            </Show>
          }
        >
          <dt>On</dt>
          <dd>{reported().on}</dd>
        </Show>
        <Show when={props.leaving.arrow.guard}>
          {(guard) => (
            <>
              <dt>When</dt>
              <dd>
                {reported().when}
                <Show when={props.side.technical}>
                  {' '}
                  <code class="guard">[{guard().name}]</code>
                </Show>
              </dd>
            </>
          )}
        </Show>
        <dt>Then</dt>
        <dd>it {describeArrowTarget(props.leaving, props.side)}</dd>
        <Show when={props.side.technical && reported().does.length > 0}>
          <dt>Does</dt>
          <dd>
            <ul>
              <For each={reported().does}>{(effect) => <li>{effect}</li>}</For>
            </ul>
          </dd>
        </Show>
      </dl>
      <Show when={props.side.simulate && toScriptStep(props.leaving.arrow, props.leaving.source)}>
        {(step) => (
          <p class="row">
            <button type="button" onClick={() => props.side.simulate?.(step())}>
              <Icon name="play" /> Simulate this
            </button>
            <code>{step()}</code>
          </p>
        )}
      </Show>
      <Show when={props.leaving.arrow.event !== '' && props.side.ask}>
        {(ask) => (
          <WhatIf
            draft={draft()}
            facts={props.side.facts}
            ask={ask()}
            answered={(reply) =>
              props.side.predict(reply?.accepted ? listLeafPaths(reply.value) : [])
            }
          />
        )}
      </Show>
    </>
  );
}
