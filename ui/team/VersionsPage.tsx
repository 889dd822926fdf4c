import { createMemo, createSignal, For, Show } from 'solid-js';
import type {
  OverlayDiff,
  OverlayVersionSummary,
} from '../../src/contract/schema/cloud/teamOverlay.ts';
import { LazyDiffView } from '../jobs/changes/LazyDiffView.ts';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { Icon } from '../shell/controls/Icon.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { CardBoundary } from '../shell/problems/CardBoundary.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { createTeamReading } from './createTeamReading.ts';
import type { TeamParts } from './teamParts.ts';

/** Versions that are listed, newest first. */
const LISTED = 200;

/** The versions of the team's overlay: who made each, what it changed, and back to an older one. */
export function VersionsPage(props: TeamParts & { opened: string | null }) {
  const { api } = props;
  const { offers } = useDashboard();
  const [versions, refetch] = createTeamReading(() =>
    api.get<OverlayVersionSummary[]>(`overlay/versions?limit=${LISTED}`),
  );
  const [versionToRestore, setVersionToRestore] = createSignal<number | null>(null);
  const newest = () => versions.latest?.[0]?.version ?? 0;
  return (
    <div class="page team-page">
      <div class="page-head">
        <h1>Overlay versions</h1>
        <a class="button quiet" href="#/workflows">
          Workflows
        </a>
      </div>
      <p class="muted">
        Each saved file and each applied proposal makes a version. Runners use the newest one from
        the next phase of each job on.
      </p>
      <ReadingView reading={versions} retry={() => void refetch()}>
        <Show when={versions.latest} fallback={<p class="muted">Loading …</p>}>
          {(list) => (
            <ul class="plain stack" aria-label="Versions">
              <For
                each={list()}
                fallback={
                  <li class="empty">
                    <h2>No version yet</h2>
                    <p>Save a workflow, an agent or a memory: this makes the first one.</p>
                    <a class="button" href="#/workflows">
                      Open workflows
                    </a>
                  </li>
                }
              >
                {(one) => (
                  <li class="section" data-version={one.version}>
                    <VersionFacts
                      version={one}
                      isOpen={props.opened === String(one.version)}
                      restore={
                        offers('writeIntelligenceFile') && one.version !== newest()
                          ? () => setVersionToRestore(one.version)
                          : null
                      }
                    />
                    <Show when={props.opened === String(one.version)}>
                      <VersionDiff api={api} version={one.version} />
                    </Show>
                  </li>
                )}
              </For>
            </ul>
          )}
        </Show>
      </ReadingView>
      <Show when={versionToRestore()}>
        {(version) => (
          <RestoreVersion
            api={api}
            version={version()}
            newest={newest()}
            close={() => setVersionToRestore(null)}
            onRestore={() => void refetch()}
          />
        )}
      </Show>
    </div>
  );
}

function VersionFacts(props: {
  version: OverlayVersionSummary;
  isOpen: boolean;
  /** null = it cannot be restored, or not by this person. */
  restore: (() => void) | null;
}) {
  const { version, at, author, proposalId, restores, fileCount } = props.version;
  return (
    <div class="row">
      <strong>{version}</strong>
      <span class="grow">
        by {revealTurningCharacters(author ?? '')}
        <Show when={proposalId}>
          {(id) => (
            <>
              , <a href={toRouteHash(['proposals', id()])}>proposal {id()}</a>
            </>
          )}
        </Show>
        <Show when={restores}>{(older) => <>, restores version {older()}</>}</Show>{' '}
        <Show when={at}>
          {(time) => (
            <small title={formatDateTime(time())}>
              {formatAge(time(), nowForAges())}, {fileCount} {fileCount === 1 ? 'file' : 'files'}
            </small>
          )}
        </Show>
      </span>
      <a
        class="button quiet"
        href={toRouteHash(['versions'], props.isOpen ? {} : { id: String(version) })}
      >
        {props.isOpen ? 'Hide changes' : 'Show changes'}
        <span class="visually-hidden"> of version {version}</span>
      </a>
      <Show when={props.restore}>
        {(restore) => (
          <button type="button" onClick={() => restore()()}>
            Restore …<span class="visually-hidden"> version {version}</span>
          </button>
        )}
      </Show>
    </div>
  );
}

function VersionDiff(props: Pick<TeamParts, 'api'> & { version: number }) {
  const [diff, { refetch }] = createReading(() =>
    props.api.get<OverlayDiff>(`overlay/versions/${props.version}/diff`),
  );
  const readDiff = () => (diff.error ? undefined : diff.latest);
  const text = createMemo(() => (readDiff()?.files ?? []).map((file) => file.diff).join(''));
  const others = () => (readDiff()?.files ?? []).filter((file) => file.diff === '');
  return (
    <Show when={!diff.error} fallback={<Problem error={diff.error} retry={() => void refetch()} />}>
      <Show when={readDiff()} fallback={<p class="muted">Loading …</p>}>
        {(read) => (
          <>
            <h2 class="visually-hidden">Changes of version {props.version}</h2>
            <Show when={read().files.length === 0}>
              <p class="muted">It has the same files as the version before it.</p>
            </Show>
            <CardBoundary>
              <Show when={text() !== ''}>
                <LazyDiffView text={text()} />
              </Show>
            </CardBoundary>
            <For each={others()}>
              {({ path, change }) => (
                <p>
                  <Icon name="file" /> {revealTurningCharacters(path)}: {change}, not a text
                </p>
              )}
            </For>
            <Show when={read().isCut}>
              <p class="muted">More files differ than are shown.</p>
            </Show>
          </>
        )}
      </Show>
    </Show>
  );
}

function RestoreVersion(
  props: Pick<TeamParts, 'api'> & {
    version: number;
    newest: number;
    close: () => void;
    onRestore: () => void;
  },
) {
  const { run } = useDashboard();
  const send = async () => {
    const { version, newest } = props;
    const wasTaken = await run(`The files of version ${version} count again.`, () =>
      props.api.send('POST', 'overlay/restore', { version, newest }),
    );
    props.onRestore();
    return wasTaken;
  };
  return (
    <AskDialog
      title={`Restore version ${props.version}?`}
      says="Restore"
      close={props.close}
      send={send}
    >
      <p>
        This makes version {props.newest + 1} with all files of version {props.version}. Later
        changes stay in the list of versions.
      </p>
    </AskDialog>
  );
}
