import { createResource, Match, Switch } from 'solid-js';
import type { Job } from '../../src/schema/job.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Markdown } from '../shell/Markdown.tsx';
import { Problem } from '../shell/Problem.tsx';

/** What a person is asked to approve: the text of the artefact that was shown for it. */
export function Shown(props: { job: Job }) {
  const { client } = useDashboard();
  const artefactId = () => props.job.approval?.artefactId ?? null;
  const [text, { refetch }] = createResource(artefactId, (id) => client.artefact(props.job.id, id));
  return (
    <Switch>
      <Match when={text.error}>
        <Problem error={text.error} retry={() => void refetch()} />
      </Match>
      <Match when={artefactId() === null}>
        <p class="muted">The phase has shown no plan. Its log and its changes say what it did.</p>
      </Match>
      <Match when={text.latest}>
        {(shown) => (
          <section class="shown-document" aria-label="What was shown" tabindex="0">
            <Markdown text={shown()} />
          </section>
        )}
      </Match>
      <Match when={text.loading}>
        <p class="muted">Loading what was shown …</p>
      </Match>
    </Switch>
  );
}
