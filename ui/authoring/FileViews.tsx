import { createSignal, For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { Dialog } from '../shell/controls/Dialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { ComparedTexts } from './ComparedTexts.tsx';
import type { MergedFile } from '../../src/contract/schema/workflow/intelligence.ts';
import type { LayerName } from './authoredFiles.ts';

interface MergedLine {
  /** null = svc has written it. */
  layer: LayerName | null;
  /** Whether it is the first of its layer here. */
  first: boolean;
  text: string;
}

/** The lines of a file as agents see it, each with where it comes from. */
export function splitMergedLines({ text, parts }: MergedFile): MergedLine[] {
  const lines = text.replace(/\n$/, '').split('\n');
  let at = 0;
  return parts.flatMap(({ layer, lines: count }) => {
    const own = lines.slice(at, at + count);
    at += count;
    return own.map((line, index) => ({ layer, first: index === 0, text: line }));
  });
}

interface FileViewsProps {
  path: string;
  repo: string | null;
  text: string;
  unsaved: boolean;
  /** Puts an older text into the editor; null = the file is not written here. */
  restore: ((text: string) => void) | null;
}

/**
 * What is to be known of a file beside its text: how agents see it, and who has changed it. What
 * loads waits within its dialog: a page that waited would take the dialog out of the top layer.
 */
export function FileViews(props: FileViewsProps) {
  const [open, setOpen] = createSignal<'merged' | 'history' | null>(null);
  const close = () => setOpen(null);
  return (
    <div class="row">
      <button type="button" class="quiet" onClick={() => setOpen('merged')}>
        As agents see it
      </button>
      <button type="button" class="quiet" onClick={() => setOpen('history')}>
        Who changed it
      </button>
      <Show when={open() === 'merged'}>
        <Dialog label={`${props.path} as agents see it`} class="file-views" close={close}>
          <MergedText {...props} />
        </Dialog>
      </Show>
      <Show when={open() === 'history'}>
        <Dialog label={`Versions of ${props.path}`} class="file-views" close={close}>
          <History {...props} close={close} />
        </Dialog>
      </Show>
    </div>
  );
}

function MergedText(props: FileViewsProps) {
  const { client } = useDashboard();
  const [file, { refetch }] = createReading(() =>
    client.mergedFile({
      path: props.path,
      ...(props.repo === null ? {} : { repo: props.repo }),
    }),
  );
  return (
    <>
      <h2>As agents see it</h2>
      <Show
        when={!file.error}
        fallback={<Problem error={file.error} retry={() => void refetch()} />}
      >
        <Show when={file.latest} fallback={<p class="muted">Loading …</p>}>
          {(merged) => (
            <>
              <Show when={props.unsaved}>
                <p class="notice-line">
                  <Icon name="warn" /> Your changes are not saved: agents do not see them.
                </p>
              </Show>
              <Show when={merged().replaces.length > 0}>
                <p class="muted">
                  It replaces the file of the layer {merged().replaces.join(' and ')}.
                </p>
              </Show>
              <table class="merged-text">
                <caption class="visually-hidden">Each line with the layer it comes from</caption>
                <tbody>
                  <For each={splitMergedLines(merged())}>
                    {({ layer, first, text }) => (
                      <tr class={`from-${layer ?? 'svc'}`}>
                        <th scope="row">
                          <span class={first ? '' : 'visually-hidden'}>{layer ?? 'svc'}</span>
                        </th>
                        <td>{revealTurningCharacters(text)}</td>
                      </tr>
                    )}
                  </For>
                </tbody>
              </table>
            </>
          )}
        </Show>
      </Show>
    </>
  );
}

function History(props: FileViewsProps & { close: () => void }) {
  const { client, run } = useDashboard();
  const [versions, { refetch }] = createReading(() =>
    client.intelligenceHistory({ path: props.path }),
  );
  const [comparedVersion, setComparedVersion] = createSignal<number | null>(null);
  const [older, { refetch: readAgain }] = createReading(comparedVersion, (n) =>
    client.intelligenceVersion({ path: props.path, n }),
  );
  const restore = (n: number) =>
    run(`Version ${n} is in the editor. Save to use it.`, async (to) => {
      const { text } = await to.intelligenceVersion({ path: props.path, n });
      if (text !== null) props.restore?.(text);
      props.close();
    });
  return (
    <>
      <h2>Who changed it</h2>
      <p class="muted">The last 50 versions in the tenant layer.</p>
      <Show
        when={!versions.error}
        fallback={<Problem error={versions.error} retry={() => void refetch()} />}
      >
        <ul class="plain file-versions">
          <For
            each={versions.latest ?? []}
            fallback={
              <li class="muted">
                {versions.loading ? 'Loading …' : 'svc has not changed it in the tenant layer.'}
              </li>
            }
          >
            {({ n, at, author, proposal, change, chars }) => (
              <li class="row">
                <strong>{n}</strong>
                <span class="grow">
                  {change} by {revealTurningCharacters(author)}{' '}
                  <Show when={proposal}>
                    {(id) => <a href={toRouteHash(['proposals', id()])}>proposal {id()}</a>}
                  </Show>{' '}
                  <small title={formatDateTime(at)}>
                    {formatAge(at, nowForAges())}, {chars} characters
                  </small>
                </span>
                <button
                  type="button"
                  class="quiet"
                  aria-expanded={comparedVersion() === n}
                  onClick={() => setComparedVersion(comparedVersion() === n ? null : n)}
                >
                  Compare<span class="visually-hidden"> version {n}</span>
                </button>
                <Show when={props.restore !== null && change !== 'removed'}>
                  <button type="button" onClick={() => void restore(n)}>
                    Restore<span class="visually-hidden"> version {n}</span>
                  </button>
                </Show>
              </li>
            )}
          </For>
        </ul>
        <Show when={comparedVersion()}>
          {(n) => (
            <section aria-label={`Version ${n()} and the text in the editor`}>
              <p class="muted">From version {n()} to the text in the editor:</p>
              <Show
                when={!older.error}
                fallback={<Problem error={older.error} retry={() => void readAgain()} />}
              >
                <Show when={!older.loading && older()} fallback={<p class="muted">Loading …</p>}>
                  {(one) => <ComparedTexts before={one().text ?? ''} after={props.text} />}
                </Show>
              </Show>
            </section>
          )}
        </Show>
      </Show>
    </>
  );
}
