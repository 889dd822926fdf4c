import { For, Match, Show, Switch } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import type { Artefact } from '../../../src/contract/schema/job/job.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { Markdown } from '../../shell/markdown/Markdown.tsx';
import { Problem } from '../../shell/problems/Problem.tsx';
import { toJobHash } from '../../shell/navigation/router.ts';
import { toArtefactUrl, formatTimeOfDay, formatKibibytes } from '../jobText.ts';
import { useJob } from './jobView.ts';

/** Most bytes that are shown in the page; all can be downloaded. */
const MAX_SHOWN_BYTES = 512 * 1024;

const isMarkdown = ({ mime, kind }: Artefact): boolean =>
  mime.startsWith('text/markdown') || kind.endsWith('-md');
const isTextArtefact = ({ mime }: Artefact): boolean =>
  /^text\/|[/+](json|xml|yaml|csv)\b/.test(mime);

/** What agents show to people. Agents' bytes are never run: text is shown, the rest downloaded. */
export function ArtefactsTab(props: { artefactId: string | null }) {
  const { job } = useJob();
  const pickShownArtefact = () =>
    job().artefacts.find(({ id }) => id === props.artefactId) ?? job().artefacts.at(-1);
  return (
    <Show
      when={pickShownArtefact()}
      fallback={
        <div class="empty">
          <h2>No artefacts yet</h2>
          <p>Plans and reports appear here as soon as agents post them.</p>
        </div>
      }
    >
      {(artefact) => (
        <div class="artefacts">
          <nav class="section" aria-label="Artefacts">
            <ul class="plain">
              <For each={job().artefacts}>
                {(other) => (
                  <li>
                    <a
                      href={toJobHash(job().id, 'artefacts', other.id)}
                      aria-current={other.id === artefact().id ? 'true' : undefined}
                    >
                      <bdi>{other.title}</bdi>
                      <small>
                        {other.kind} · {other.phase} {formatTimeOfDay(other.at)}
                      </small>
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </nav>
          <section class="section" aria-label={artefact().title}>
            <div class="section-head">
              <h2 dir="auto">{artefact().title}</h2>
              <small>
                {artefact().mime}, {formatKibibytes(artefact().size)}
              </small>
              <Show when={artefact().removedAt === undefined}>
                <a
                  class="button"
                  href={toArtefactUrl(job().id, artefact().id)}
                  download={artefact().title}
                >
                  <Icon name="download" /> Download
                </a>
              </Show>
            </div>
            <Show when={artefact()} keyed>
              {(one) => <Content artefact={one} />}
            </Show>
          </section>
        </div>
      )}
    </Show>
  );
}

function Content(props: { artefact: Artefact }) {
  const { client } = useDashboard();
  const { job } = useJob();
  const readable = () =>
    props.artefact.removedAt === undefined &&
    (isMarkdown(props.artefact) || isTextArtefact(props.artefact)) &&
    props.artefact.size <= MAX_SHOWN_BYTES;
  const [text, { refetch }] = createReading(readable, () =>
    client.artefact(job().id, props.artefact.id),
  );
  return (
    <Switch>
      <Match when={props.artefact.removedAt}>
        {(at) => (
          <p class="muted">
            Its content was removed by retention on {at().slice(0, 10)}; only this description is
            left.
          </p>
        )}
      </Match>
      <Match when={!readable()}>
        <p class="muted">No preview. Download it to see it.</p>
      </Match>
      <Match when={text.error}>
        <Problem error={text.error} retry={() => void refetch()} />
      </Match>
      <Match when={text.loading}>
        <p class="muted">Loading …</p>
      </Match>
      <Match when={isMarkdown(props.artefact)}>
        <Markdown text={text.latest ?? ''} />
      </Match>
      <Match when={true}>
        <pre class="json" tabindex="0">
          {text.latest}
        </pre>
      </Match>
    </Switch>
  );
}
