import { For, Show } from 'solid-js';
import type { RatedBy } from '../../src/contract/schema/policy/trackRecord.ts';
import { formatShortCount } from '../jobs/jobText.ts';

const UNKNOWN = 'not known yet';

const formatRatingShare = (value: number | null): string =>
  value === null ? UNKNOWN : `${Math.round(value * 100)} %`;

export function listRatingFigures(
  of: RatedBy,
): readonly (readonly [name: string, figure: string])[] {
  const { flagsKnown, flagsRight, precision, precisionBound, brier, baseBrier, p50, p95 } = of;
  return [
    ['Asked', formatShortCount(of.asked)],
    ['Without an answer', formatShortCount(of.skipped)],
    ['Turned out good', formatShortCount(of.good)],
    ['Turned out bad', formatShortCount(of.bad)],
    [
      'Flags',
      `${formatShortCount(of.flags)} (${formatShortCount(flagsKnown)} with a known outcome)`,
    ],
    [
      'Right flags',
      precision === null
        ? UNKNOWN
        : `${formatRatingShare(precision)} (${formatShortCount(flagsRight)} of ${formatShortCount(flagsKnown)}), at least ${formatRatingShare(precisionBound)}`,
    ],
    ['Bad work flagged', formatRatingShare(of.recall)],
    [
      'Brier score',
      brier === null || baseBrier === null
        ? UNKNOWN
        : `${brier.toFixed(2)}; baseline ${baseBrier.toFixed(2)}`,
    ],
    ['Time', p50 === null || p95 === null ? UNKNOWN : `${p50} ms; 95 % within ${p95} ms`],
  ];
}

/** Names of figures that need outcomes which are not known yet. */
export const listUnknownFigures = (of: RatedBy): string[] =>
  listRatingFigures(of).flatMap(([name, figure]) => (figure === UNKNOWN ? [name] : []));

const SITES: Readonly<Record<RatedBy['site'], string>> = {
  overseer: 'Phases',
  'wake-gate': 'Wake-ups',
  lane: 'Workflow fit',
  'input-screen': 'Comments from outside',
  'review-lens': 'Review focus',
};

/** A name within a sentence; that of a person keeps its capital. */
const toSentencePart = (name: string): string =>
  name.startsWith('Brier') ? name : name.toLowerCase();

export function RatingFigures(props: { of: RatedBy }) {
  return (
    <article class="rated-by">
      <h3>
        {SITES[props.of.site]}: <bdi>{props.of.provider}</bdi>, <bdi>{props.of.model}</bdi>{' '}
        <Show when={!props.of.current}>
          <span class="pill over">Earlier</span>
        </Show>
      </h3>
      <dl class="figures">
        <For each={listRatingFigures(props.of).filter(([, figure]) => figure !== UNKNOWN)}>
          {([name, figure]) => (
            <div>
              <dt>{name}</dt>
              <dd>{figure}</dd>
            </div>
          )}
        </For>
      </dl>
      <Show when={listUnknownFigures(props.of).length > 0}>
        <p class="muted">
          Not known yet: {listUnknownFigures(props.of).map(toSentencePart).join(', ')}.
        </p>
      </Show>
      <Show when={props.of.skips.length > 0}>
        <details>
          <summary>Reasons for missing answers</summary>
          <ul>
            <For each={props.of.skips}>
              {({ reason, count }) => (
                <li dir="auto">
                  {reason} ({count})
                </li>
              )}
            </For>
          </ul>
        </details>
      </Show>
    </article>
  );
}
