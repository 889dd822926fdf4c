import { createMemo, For, Match, Show, Switch } from 'solid-js';
import type { ChartNode } from '../../src/contract/schema/workflow/machine.ts';
import { ChartLegend } from './ChartLegend.tsx';
import { ArrowSide } from './ArrowSide.tsx';
import { describeArrowCount } from './picture/matchTransitions.ts';
import { toPlainState } from './picture/plainWords.ts';
import { RunNumbers } from './RunNumbers.tsx';
import type { ChartSideProps, LeavingArrow } from './chartSideProps.ts';
import { describeArrowTarget, nameArrowEvent, nameSideState } from './sideWords.ts';

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
          {(leaving) => <ArrowSide leaving={leaving()} side={props} />}
        </Match>
        <Match when={chosenState()}>{(state) => <OneState state={state()} side={props} />}</Match>
      </Switch>
    </aside>
  );
}

/** Events that a person can send come first; the runner and its agents send the rest. */
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
      <Show when={props.runs}>{(runs) => <RunNumbers runs={runs()} />}</Show>
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
                <Show when={props.side.runs?.counts.arrows.get(arrow.id)}>
                  {(count) => <small>{describeArrowCount(count())}</small>}
                </Show>
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
        <For each={props.state.tags}>
          {(tag) => (
            <>
              {' '}
              <span class="pill literal">{tag}</span>
            </>
          )}
        </For>
      </p>
      <Show when={props.state.description}>
        {(description) => <p dir="auto">{description()}</p>}
      </Show>
      <For each={props.state.waits}>{(wait) => <p>Waiting {wait}.</p>}</For>
      <Show when={props.side.technical}>
        <Effects title="On entry" effects={props.state.entry} />
        <Effects title="On exit" effects={props.state.exit} />
      </Show>
      <Show when={props.state.states.length > 0 && props.state.path !== ''}>
        <GroupStates group={props.state} side={props.side} />
      </Show>
      <h3>Transitions</h3>
      <Show when={ways().length > 0} fallback={<p class="muted">None.</p>}>
        <ArrowList list={ways()} side={props.side} />
      </Show>
    </>
  );
}

/** The states of a group, and the switch that draws them or not. */
function GroupStates(props: { group: ChartNode; side: ChartSideProps }) {
  const isFolded = () => props.side.folded.has(props.group.path);
  return (
    <>
      <p>
        <button
          type="button"
          aria-expanded={!isFolded()}
          onClick={() => props.side.fold(props.group.path, !isFolded())}
        >
          {isFolded() ? 'Unfold' : 'Fold'} this group
        </button>
      </p>
      <h3>States</h3>
      <ul class="plain chart-ways">
        <For each={props.group.states}>
          {({ path }) => (
            <li>
              <button
                type="button"
                class="chart-way"
                onClick={() => {
                  props.side.fold(props.group.path, false);
                  props.side.select({ kind: 'box', id: path });
                }}
              >
                {nameSideState(props.side, path)}
              </button>
            </li>
          )}
        </For>
      </ul>
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
