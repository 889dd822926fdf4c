import { createEffect, createResource, Match, Switch } from 'solid-js';
import type { Job } from '../../src/schema/job.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Markdown } from '../shell/Markdown.tsx';
import { Problem } from '../shell/Problem.tsx';

/**
 * What a person is asked to approve: the text of the artefact that was shown for it. `onSeen`
 * receives the hash of the version on the screen; null while its text is not there.
 */
export function Shown(props: { job: Job; onSeen: (shown: string | null) => void }) {
  const { client } = useDashboard();
  const artefactId = () => props.job.approval?.artefactId ?? null;
  const [text, { refetch }] = createResource(artefactId, (id) => client.artefact(props.job.id, id));
  const isThere = () => artefactId() === null || (text.state === 'ready' && !text.error);
  createEffect(() => props.onSeen(isThere() ? (props.job.approval?.shown ?? null) : null));
  return (
    <Switch>
      <Match when={text.error}>
        <Problem error={text.error} retry={() => void refetch()} />
      </Match>
      <Match when={artefactId() === null}>
        <p class="muted">The phase has shown no plan. See its log and its changes.</p>
      </Match>
      <Match when={!text.loading && text()}>
        {(shown) => (
          <section class="shown-document" aria-label="What was shown" tabindex="0">
            <Markdown text={shown()} />
          </section>
        )}
      </Match>
      <Match when={text.loading}>
        <p class="muted">Loading the plan …</p>
      </Match>
    </Switch>
  );
}
