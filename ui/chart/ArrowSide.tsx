import { createMemo, For, Show } from 'solid-js';
import { listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import type { ChartSideProps, LeavingArrow } from './chartSideProps.ts';
import { toArrowWords } from './describeChart.ts';
import { createEventDraft } from './eventDraft.ts';
import { describeArrowCount } from './picture/matchTransitions.ts';
import { describeArrowTarget, nameArrowEvent, nameSideState } from './sideWords.ts';
import { toScriptStep } from './toScriptStep.ts';
import { WhatIf } from './WhatIf.tsx';

/** One arrow in the panel: what it is, and what can be tried with it. */
export function ArrowSide(props: { leaving: LeavingArrow; side: ChartSideProps }) {
  const arrowWords = createMemo(() => toArrowWords(props.leaving.arrow, props.leaving.source.path));
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
          <dd>{arrowWords().on}</dd>
        </Show>
        <Show when={props.leaving.arrow.guard}>
          {(guard) => (
            <>
              <dt>When</dt>
              <dd>
                {arrowWords().when}
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
        <Show when={props.side.runs?.counts.arrows.get(props.leaving.arrow.id)}>
          {(count) => (
            <>
              <dt>Last runs</dt>
              <dd>{describeArrowCount(count())}</dd>
            </>
          )}
        </Show>
        <Show when={props.side.technical && arrowWords().does.length > 0}>
          <dt>Does</dt>
          <dd>
            <ul>
              <For each={arrowWords().does}>{(effect) => <li>{effect}</li>}</For>
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
            onAnswer={(reply) =>
              props.side.predict(reply?.accepted ? listLeafPaths(reply.value) : [])
            }
          />
        )}
      </Show>
    </>
  );
}
