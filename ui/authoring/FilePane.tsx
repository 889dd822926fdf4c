import {
  type ComponentProps,
  createEffect,
  createMemo,
  createSignal,
  on,
  onCleanup,
  Show,
} from 'solid-js';
import { ClientError } from '../../src/api/client/problem.ts';
import type { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import type { LintReply } from '../../src/contract/schema/workflow/intelligence.ts';
import type { Machine } from '../../src/contract/schema/workflow/machine.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { OlderResult } from '../shell/problems/OlderResult.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import {
  type AuthoredFile,
  isWritableFile,
  type LayerName,
  explainReadOnlyFile,
} from './authoredFiles.ts';
import { describeOldFindings, OLD_DRAWING } from './describeOldResult.ts';
import { FileHead } from './FileHead.tsx';
import { type AskedOfFile, SaveConflict, FileDialogs } from './FileDialogs.tsx';
import { FileViews } from './FileViews.tsx';
import { readFileDraft, keepFileDraft } from './fileDrafts.ts';
import { EditorBox } from './EditorBox.tsx';
import { LintFindings } from './LintFindings.tsx';
import { isBrokenInvariant } from './describeProofResult.ts';
import { InvariantProofs } from './InvariantProofs.tsx';
import { LayerChoice, LayerText } from './LayerText.tsx';
import { lintSoon } from './lintSoon.ts';
import { describeSave } from './describeSave.ts';
import { type SimulatedPath, WorkflowSimulation } from './WorkflowSimulation.tsx';
import type { TextEditor } from './textEditor.ts';
import { createLasting } from '../shell/signals/createLasting.ts';
import { WorkflowDrawing } from './WorkflowDrawing.tsx';
import { holdPage } from '../shell/drafts/drafts.ts';

/** How old the findings' text may be before they are marked, ms, so that typing causes no flicker. */
const MARK_AFTER_MS = 800;

export interface SavedFile {
  text: string;
  /** Version of the tenant's file; null = saving makes one. */
  etag: string | null;
}

interface FilePaneProps {
  file: AuthoredFile;
  saved: SavedFile;
  canSave: boolean;
  /** The repository whose layer lies on top; null = base and tenant alone. */
  repo: string | null;
  agents: readonly string[];
  /** Called when a draft was added or removed, and when something was saved. */
  draftChanged: () => void;
  wasSaved: () => void;
}

/** Editor, findings and chart of one file. This browser keeps what is not saved. */
export function FilePane(props: FilePaneProps) {
  const { client, connection, run, team } = useDashboard();
  const slug = team?.slug ?? null;
  const { repo } = props;
  const { path } = props.file;
  /** Files of a repository are changed there, by a pull request. */
  const ofRepo = props.file.layers.at(-1) === 'repo' || !isWritableFile(path);
  const [text, setText] = createSignal(
    (ofRepo ? null : readFileDraft(slug, path)?.text) ?? props.saved.text,
  );
  const [linted, setLinted] = createSignal<{ reply: LintReply; text: string } | null>(null);
  const reply = () => linted()?.reply ?? null;
  const isBehind = createMemo(() => linted() !== null && linted()?.text !== text());
  const isLongBehind = createLasting(isBehind, MARK_AFTER_MS);
  const [drawnMachine, setMachine] = createSignal<{ machine: Machine; text: string } | null>(null);
  const [problem, setProblem] = createSignal<unknown>(null);
  const [saving, setSaving] = createSignal(false);
  const [question, setQuestion] = createSignal<AskedOfFile | null>(null);
  /** The layer whose version is shown; null = the text being edited. */
  const [source, setSource] = createSignal<LayerName | null>(null);
  let goTo: TextEditor['goTo'] = () => {};
  const [simulatedPath, setSimulatedPath] = createSignal<SimulatedPath | null>(null);
  const [addition, setAddition] =
    createSignal<ComponentProps<typeof WorkflowSimulation>['given']>(null);
  /** The invariant whose way was chosen; default: the first that is broken; null = none is drawn. */
  const [drawnInvariant, setDrawnInvariant] = createSignal<string | null | undefined>(undefined);
  const proofs = () => reply()?.proofs ?? [];
  const drawnProof = () =>
    drawnInvariant() === undefined
      ? proofs().find(isBrokenInvariant)
      : proofs().find((one) => isBrokenInvariant(one) && one.invariant === drawnInvariant());
  const isChanged = () => text() !== props.saved.text;
  const isNew = () => props.file.layers.length === 0;
  const [decisionCount, setDecisionCount] = createSignal(0);
  const isStale = () =>
    decisionCount() >= 0 &&
    isChanged() &&
    (readFileDraft(slug, path)?.etag ?? props.saved.etag) !== props.saved.etag;

  const lint = lintSoon(
    client,
    { path, ...(repo === null ? {} : { repo }), ...(ofRepo ? { layer: 'repo' as const } : {}) },
    {
      found(lint, of) {
        setLinted({ reply: lint, text: of });
        setProblem(null);
        if (lint.machine) setMachine({ machine: lint.machine, text: of });
      },
      onFail(error) {
        connection.report(error);
        setProblem(error);
      },
    },
  );
  onCleanup(lint.stop);
  createEffect(() => lint.look(text()));
  // Kept with the version that it started from, so that another user's change is not overwritten.
  createEffect(
    on([text, () => props.saved], ([now, saved]) => {
      if (ofRepo) return;
      const fileDraft = readFileDraft(slug, path);
      const next =
        now === saved.text && !isNew()
          ? null
          : { text: now, etag: fileDraft ? fileDraft.etag : saved.etag };
      keepFileDraft(slug, path, next);
      if ((fileDraft === null) !== (next === null)) props.draftChanged();
    }),
  );

  const isUnchecked = () => problem() !== null;
  const errors = () => reply()?.diagnostics.some(({ severity }) => severity === 'error') ?? true;
  const proposes = () => !props.canSave && (team?.mayPropose() ?? false);
  const savable = () =>
    (props.canSave || proposes()) && !ofRepo && !saving() && !errors() && (isChanged() || isNew());

  /** The version that the text was begun from. */
  const readEtag = () => readFileDraft(slug, path)?.etag ?? props.saved.etag;
  /** Both texts are shown after this read; what was typed stays. */
  const showNewer = (error: unknown): never => {
    if (error instanceof ClientError && error.code === 'precondition-failed') props.wasSaved();
    throw error;
  };

  async function save(): Promise<void> {
    if (!savable()) return;
    if (proposes()) return void setQuestion('propose');
    setSaving(true);
    const etag = readEtag();
    const wasTaken = await run(`${path} saved. Jobs read it at their next phase.`, (to) =>
      to.writeIntelligenceFile(path, text(), etag).catch(showNewer),
    );
    setSaving(false);
    if (!wasTaken) return;
    keepFileDraft(slug, path, null);
    props.wasSaved();
  }

  /** `proposedText`: null = the file is removed. */
  async function propose(proposedText: string | null, description: string): Promise<boolean> {
    const etag = proposedText === null ? props.saved.etag : readEtag();
    const body = { description, text: proposedText, etag };
    let id: string | undefined;
    const wasTaken = await run(`A change of ${path} is proposed.`, async () => {
      id = (await team?.proposeFile(path, body).catch(showNewer))?.id;
    });
    if (!wasTaken || id === undefined) return false;
    keepFileDraft(slug, path, null);
    setText(props.saved.text);
    location.hash = toRouteHash(['proposals', id]);
    return true;
  }

  /** The next save replaces the version that is saved now, and no later one. */
  function keepMine(): void {
    keepFileDraft(slug, path, { text: text(), etag: props.saved.etag });
    setDecisionCount((count) => count + 1);
  }

  async function discard(): Promise<boolean> {
    keepFileDraft(slug, path, null);
    setText(props.saved.text);
    props.draftChanged();
    return true;
  }

  const below = () => props.file.layers.at(-2) ?? null;
  async function remove(): Promise<boolean> {
    const { etag } = props.saved;
    if (etag === null) return false;
    const next = below();
    const says =
      next === null
        ? `${path} deleted.`
        : `${path} deleted; the ${next} layer's version is used now.`;
    const wasTaken = await run(says, (to) => to.removeIntelligenceFile(path, etag));
    if (!wasTaken) return false;
    keepFileDraft(slug, path, null);
    props.wasSaved();
    if (next === null) location.hash = toRouteHash(['workflows']);
    return true;
  }

  // A draft that this browser does not keep would be lost with the page.
  holdPage(() => isChanged() && !ofRepo && readFileDraft(slug, path)?.text !== text());

  const layer = () => props.file.layers.at(-1);
  const whySave = () =>
    ofRepo
      ? explainReadOnlyFile(path, repo)
      : describeSave({
          canSave: props.canSave,
          proposes: proposes(),
          isOfTeam: team !== null,
          isChecked: reply() !== null,
          hasErrors: errors(),
          layer: isNew() ? 'tenant' : layer(),
        });

  return (
    <div class="file-pane">
      <FileHead
        path={path}
        layer={isNew() ? null : (layer() ?? 'base')}
        isChanged={isChanged()}
        mayDelete={props.saved.etag !== null && (props.canSave || proposes()) && !ofRepo}
        proposes={proposes()}
        isReady={savable()}
        why={whySave()}
        discard={() => setQuestion('discard')}
        delete={() => setQuestion('delete')}
        save={() => void save()}
      />
      <Show when={props.file.layers.length > 1}>
        <LayerChoice path={path} layers={props.file.layers} looked={source()} look={setSource} />
      </Show>
      <FileViews
        path={path}
        repo={repo}
        text={text()}
        unsaved={isChanged()}
        restore={ofRepo ? null : setText}
      />
      <FileDialogs
        path={path}
        asked={question()}
        below={below()}
        close={() => setQuestion(null)}
        discard={discard}
        remove={remove}
        proposes={proposes()}
        propose={(description) => propose(question() === 'delete' ? null : text(), description)}
      />
      <Show when={isStale()}>
        <SaveConflict saved={props.saved.text} mine={text()} keepMine={keepMine} />
      </Show>
      <Show when={problem()}>{(error) => <Problem error={error()} />}</Show>
      <Show when={source()}>
        {(name) => <LayerText path={path} layer={name()} layers={props.file.layers} repo={repo} />}
      </Show>
      <div class="side-by-side" hidden={source() !== null}>
        <div class="writing">
          <EditorBox
            path={path}
            text={text()}
            readOnly={ofRepo}
            findings={reply()?.diagnostics ?? []}
            onChange={setText}
            save={() => void save()}
            agents={props.agents}
            onReady={(way) => {
              goTo = way;
            }}
          />
          <OlderResult isOld={isLongBehind()} of={describeOldFindings(isUnchecked())}>
            <LintFindings
              findings={reply()?.diagnostics ?? null}
              goTo={(finding: Diagnostic) => goTo(finding)}
            />
            <Show when={proofs().length > 0}>
              <InvariantProofs
                proofs={proofs()}
                drawn={drawnProof()?.invariant ?? null}
                draw={setDrawnInvariant}
                play={(script) => setAddition({ script })}
              />
            </Show>
          </OlderResult>
          <Show when={props.file.kind === 'workflow'}>
            <IfOffered to="simulateWorkflow">
              <WorkflowSimulation
                path={path}
                text={text()}
                repo={repo}
                given={addition()}
                choose={setSimulatedPath}
              />
            </IfOffered>
          </Show>
        </div>
        <Show when={props.file.kind === 'workflow'}>
          <WorkflowDrawing
            machine={drawnMachine()?.machine}
            isOld={isLongBehind() || (!isBehind() && drawnMachine()?.text !== text())}
            of={isBehind() ? describeOldFindings(isUnchecked()) : OLD_DRAWING}
            state={[simulatedPath()?.phase ?? []].flat()}
            trail={
              simulatedPath()?.trail ?? drawnProof()?.states.map((path) => ({ path, time: null }))
            }
            simulate={(step) => setAddition({ step })}
          />
        </Show>
      </div>
    </div>
  );
}
