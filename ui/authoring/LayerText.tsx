import { For, Match, Show, Switch } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { isJoinedFile, type LayerName } from './authoredFiles.ts';
import { EditorBox } from './EditorBox.tsx';

export function LayerChoice(props: {
  path: string;
  layers: readonly LayerName[];
  looked: LayerName | null;
  look: (layer: LayerName | null) => void;
}) {
  const top = () => props.layers.at(-1);
  return (
    <fieldset class="choice layer-choice" aria-label="Layer to show">
      <For each={props.layers}>
        {(name) => (
          <button
            type="button"
            aria-pressed={(props.looked ?? top()) === name}
            onClick={() => props.look(name === top() ? null : name)}
          >
            {name}
            {name === top() && !isJoinedFile(props.path) ? ' (counts)' : ''}
          </button>
        )}
      </For>
    </fieldset>
  );
}

export function LayerText(props: {
  path: string;
  layer: LayerName;
  layers: readonly LayerName[];
  repo: string | null;
}) {
  const { client } = useDashboard();
  const [file, { refetch }] = createReading(
    () => ({
      path: props.path,
      layer: props.layer,
      ...(props.repo === null ? {} : { repo: props.repo }),
    }),
    async (query) => (await client.intelligenceFile(query)).file,
  );
  const readable = () => (file.error ? undefined : file.latest);
  return (
    <div class="writing">
      <p class="file-note">
        This is the version in the <strong>{props.layer}</strong> layer.{' '}
        <Show
          when={isJoinedFile(props.path)}
          fallback={
            <>
              It has no effect: the file of the last layer replaces it, here the{' '}
              <strong>{props.layers.at(-1)}</strong> layer.
            </>
          }
        >
          Agents read it together with the memory of the other layers.
        </Show>
      </p>
      <Switch fallback={<p class="muted">Loading …</p>}>
        <Match when={file.error}>
          <Problem error={file.error} retry={() => void refetch()} />
        </Match>
        <Match when={readable()} keyed>
          {(layerText) => (
            <EditorBox
              path={`${props.path} in the ${props.layer} layer`}
              text={layerText.text}
              readOnly
              findings={[]}
              onChange={() => {}}
              save={() => {}}
              agents={[]}
              onReady={() => {}}
            />
          )}
        </Match>
      </Switch>
    </div>
  );
}
