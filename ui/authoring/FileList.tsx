import { For, Show } from 'solid-js';
import { toRouteHash } from '../shell/navigation/router.ts';
import { type AuthoredFile, LAYER_MEANINGS } from './authoredFiles.ts';

export function FileList(props: {
  files: readonly AuthoredFile[];
  chosen: string | null;
  drafts: (path: string) => boolean;
}) {
  const of = (kind: AuthoredFile['kind']) => props.files.filter((file) => file.kind === kind);
  return (
    <nav class="file-list" aria-label="Files">
      <Group title="Workflows" files={of('workflow')} chosen={props.chosen} drafts={props.drafts} />
      <Group title="Agents" files={of('agent')} chosen={props.chosen} drafts={props.drafts} />
      <Group title="Memory" files={of('memory')} chosen={props.chosen} drafts={props.drafts} />
      <Group title="Skills" files={of('skill')} chosen={props.chosen} drafts={props.drafts} />
      <Group title="Other files" files={of('other')} chosen={props.chosen} drafts={props.drafts} />
    </nav>
  );
}

function Group(props: {
  title: string;
  files: readonly AuthoredFile[];
  chosen: string | null;
  drafts: (path: string) => boolean;
}) {
  return (
    <Show when={props.files.length > 0}>
      <h2>{props.title}</h2>
      <ul class="plain">
        <For each={props.files}>
          {({ path, layers }) => (
            <li>
              <a
                href={toRouteHash(['workflows', ...path.split('/')])}
                aria-current={props.chosen === path ? 'page' : undefined}
              >
                <span class="file-name">{path.replace(/^[^/]+\//, '').replace(/\.md$/, '')}</span>
                <Show when={props.drafts(path)}>
                  <span class="pill needs-you">unsaved</span>
                </Show>
                <small class="file-layer" title={LAYER_MEANINGS[layers.at(-1) ?? 'base']}>
                  {layers.at(-1) ?? 'new'}
                </small>
              </a>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
