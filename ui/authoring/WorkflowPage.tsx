import { createMemo, createSignal, For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { isNotFound } from '../shell/problems/explainProblem.ts';
import {
  listAuthoredFiles,
  canSave,
  createWorkflowTemplate,
  LAYER_MEANINGS,
  type AuthoredFile,
} from './authoredFiles.ts';
import './authoring.css';
import { readFileDraft, keepFileDraft } from './fileDrafts.ts';
import { FilePane, type SavedFile } from './FilePane.tsx';
import { NewWorkflow } from './NewWorkflow.tsx';

function FileList(props: {
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

/** Workflows and agents of all layers. `rest`: path after `#/workflows/`; none = the first. */
export function WorkflowPage(props: { rest: readonly string[] }) {
  const { client, offers, team } = useDashboard();
  const slug = team?.slug ?? null;
  const [repo, setRepo] = createSignal('');
  // The overlay of a team is at the control plane, which has no repositories.
  const [repos] = createReading(async () =>
    team === null ? client.forgeRepos().catch(() => []) : [],
  );
  const withRepo = () => (repo() === '' ? {} : { repo: repo() });
  const [layers, { refetch }] = createReading(
    () => [repo()],
    () => client.intelligenceLayers(withRepo()),
  );
  const [drafts, setDrafts] = createSignal(0);
  const files = createMemo(() =>
    layers.error || !layers() ? [] : listAuthoredFiles(layers() ?? { layers: [] }),
  );
  const first = () => files().find(({ kind }) => kind === 'workflow') ?? files()[0];
  const path = () => (props.rest.length > 0 ? props.rest.join('/') : (first()?.path ?? null));
  const chosenFile = createMemo((): AuthoredFile | null => {
    const requestedPath = path();
    if (requestedPath === null) return null;
    const authoredFile = files().find((file) => file.path === requestedPath);
    drafts();
    return (
      authoredFile ??
      (readFileDraft(slug, requestedPath)
        ? { path: requestedPath, kind: 'workflow', layers: [] }
        : null)
    );
  });
  const shownFiles = createMemo(() => {
    const one = chosenFile();
    return one && !files().includes(one) ? [...files(), one] : files();
  });
  /** A key for each file and layer, so that the pane of one is never shown for another. */
  const toFileKey = ({ path: of, layers: having }: AuthoredFile): string =>
    [repo(), of, ...having].join(' ');
  const hasDraft = (of: string): boolean => {
    drafts();
    return readFileDraft(slug, of) !== null;
  };

  /** Fetched again for another path, and after a save. */
  const [reading, { refetch: readAgain }] = createReading(
    chosenFile,
    async (one): Promise<SavedFile & { of: string }> => {
      const of = toFileKey(one);
      if (one.layers.length === 0) return { of, text: '', etag: null };
      const { etag, file } = await client.intelligenceFile({ path: one.path, ...withRepo() });
      return { of, text: file.text, etag: file.layer === 'tenant' ? etag : null };
    },
  );

  function begin(name: string): void {
    const next = `workflows/${name}.md`;
    if (!files().some((file) => file.path === next))
      keepFileDraft(slug, next, { text: createWorkflowTemplate(name), etag: null });
    setDrafts((count) => count + 1);
    location.hash = toRouteHash(['workflows', ...next.split('/')]);
  }

  const agents = () => files().flatMap((file) => (file.kind === 'agent' ? [file.path] : []));
  const ready = () => {
    const [file, text] = [chosenFile(), reading.error ? undefined : reading()];
    return file && text && text.of === toFileKey(file) ? { file, text } : null;
  };

  return (
    <div class="page workflows-page">
      <div class="page-head">
        <h1>Workflows</h1>
        <Show when={(repos() ?? []).length > 0}>
          <label class="repo-choice">
            Preview with repository
            <select value={repo()} onChange={({ currentTarget }) => setRepo(currentTarget.value)}>
              <option value="">none</option>
              <For each={repos()}>{({ slug }) => <option value={slug}>{slug}</option>}</For>
            </select>
          </label>
        </Show>
        <Show when={offers('writeIntelligenceFile') || team?.mayPropose()}>
          <NewWorkflow taken={files().map((file) => file.path)} begin={begin} />
        </Show>
      </div>
      <Show
        when={!layers.error}
        fallback={<Problem error={layers.error} retry={() => void refetch()} />}
      >
        <div class="authoring">
          <FileList files={shownFiles()} chosen={path()} drafts={hasDraft} />
          <Show
            when={ready()?.text.of}
            keyed
            fallback={
              <Show
                when={reading.error || (layers() && !chosenFile())}
                fallback={<p class="muted">Loading …</p>}
              >
                <Show
                  when={reading.error && !isNotFound(reading.error)}
                  fallback={
                    <p class="muted">
                      <Icon name="search" /> {path()} was not found. Choose a file from the list, or
                      create a new workflow.
                    </p>
                  }
                >
                  <Problem error={reading.error} retry={() => void readAgain()} />
                </Show>
              </Show>
            }
          >
            {(_key) => (
              <Show when={ready()}>
                {(now) => (
                  <FilePane
                    file={now().file}
                    saved={now().text}
                    repo={repo() || null}
                    canSave={canSave(layers() ?? { layers: [] })}
                    agents={agents()}
                    draftChanged={() => setDrafts((count) => count + 1)}
                    wasSaved={() => void refetch()}
                  />
                )}
              </Show>
            )}
          </Show>
        </div>
      </Show>
    </div>
  );
}
