import { formatCount } from '../../src/base/text/formatCount.ts';
import { Show } from 'solid-js';
import { MIN_KNOWN_FLAGS } from '../../src/base/agents/minKnownFlags.ts';
import type { TrackRecord } from '../../src/contract/schema/policy/trackRecord.ts';
import { toRouteHash } from '../shell/navigation/router.ts';

/** How far the present decider is on its way to be proven, and what makes it advance. */
export function FlagProgress(props: { record: TrackRecord }) {
  const present = () =>
    props.record.ratedBy.find(({ current, site }) => current && site === 'overseer');
  const countKnown = () => present()?.flagsKnown ?? 0;
  return (
    <div class="flag-progress">
      <label>
        Flags with a known outcome: {countKnown()} of {MIN_KNOWN_FLAGS}
        <meter min="0" max={MIN_KNOWN_FLAGS} value={Math.min(countKnown(), MIN_KNOWN_FLAGS)} />
      </label>
      <p class="muted">
        <Show
          when={props.record.mode !== 'off'}
          fallback={
            <>
              Nothing is rated while this is off. Set a decider under{' '}
              <a href={toRouteHash(['settings', 'decision'])}>Settings, Decision layer</a>, then
              choose <em>Observe</em>: jobs continue as before.
            </>
          }
        >
          {present()
            ? `Asked about ${formatCount(present()?.asked ?? 0, 'phase')}, ${present()?.flags ?? 0} flagged. An outcome is known once people merge, send back, rerun or cancel the work, or say on the page of the job how it was.`
            : 'The first rating comes with the next phase that ends. An outcome is known once people merge, send back, rerun or cancel the work, or say on the page of the job how it was.'}
        </Show>
      </p>
    </div>
  );
}
