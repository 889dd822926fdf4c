import type { ResolvedOverlay } from '../jobOverlays.ts';
import type { Workplace } from '../workplace.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { groupLeftOutItems } from '../../../workflows/overlay/toLeftOutFindings.ts';
import { isAppended, type Overlay } from '../../../workflows/overlay/mergeLayers.ts';
import { readLayerFile } from '../../../workflows/overlay/readLayerFile.ts';
import { readMergedFile } from '../../../workflows/overlay/readMergedFile.ts';
import { checkLayerPath, checkWritablePath } from '../../../workflows/overlay/writableFile.ts';
import type { LayerName } from '../../../workflows/definition/parseAgent.ts';
import type { Diagnostic } from '../../../contract/schema/workflow/diagnostic.ts';
import type { LayerList } from '../../../contract/schema/workflow/intelligence.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { toInvariantProofs } from '../../../workflows/definition/invariants/toInvariantProofs.ts';
import { buildWorkflowMachine } from '../../../workflows/definition/buildWorkflowMachine.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import { simulateText } from './simulateText.ts';
import type { TenantFolder } from './tenantFolder.ts';
import type { FileVersions } from './fileVersions.ts';
import { readTenantText, removeTenantFile, writeTenantFile } from './tenantFile.ts';

type Authoring = Pick<
  Runner,
  | 'lintWorkflow'
  | 'simulateWorkflow'
  | 'intelligenceLayers'
  | 'intelligenceFile'
  | 'writeIntelligenceFile'
  | 'removeIntelligenceFile'
  | 'intelligenceHistory'
  | 'intelligenceVersion'
  | 'mergedFile'
>;

interface AuthoringDeps {
  workplace: Pick<Workplace, 'overlay'>;
  settings: Pick<Settings, 'tenant'>;
  tenantFolder: TenantFolder;
  versions: FileVersions;
  createDraftName(): string;
}

/** Name of a person who gives none. */
const DEVELOPER = 'developer';

const IN_AGENTS = /(?:^|\/)agents\//;

/** The faulty files of one layer, for people; left out if none exist. */
const toShownLeftOut = (
  { leftOut }: Overlay,
  name: LayerName,
): Partial<Pick<LayerList['layers'][number], 'leftOut'>> => {
  const own = groupLeftOutItems(leftOut.filter(({ layer }) => layer === name));
  return own.length === 0
    ? {}
    : { leftOut: own.map(({ path, reason, hint }) => ({ path, reason, hint })) };
};

/** Answers those who write workflows and agents about the layers. */
export const createAuthoring = ({
  workplace,
  settings,
  tenantFolder,
  versions,
  createDraftName: nextDraft,
}: AuthoringDeps): Authoring => {
  const { overlay: tenant } = settings.tenant;
  const resolve = (repo: string | undefined): Promise<ResolvedOverlay> =>
    workplace.overlay(repo === undefined ? null : { slug: repo, provider: null }, {
      forAuthor: true,
    });
  const editable = (name: LayerName): boolean => name === 'tenant' && tenant.kind === 'localDir';

  const lint = ({ overlay }: ResolvedOverlay, path: string, text: string, layer: LayerName) => {
    if (IN_AGENTS.test(path))
      return {
        diagnostics: overlay.draftAgent(path, text, layer).diagnostics,
        machine: null,
        proofs: [],
      };
    // Agents read memory and skills as they are.
    if (isAppended(path) || path.startsWith('.claude/'))
      return { diagnostics: [], machine: null, proofs: [] };
    const { diagnostics, sketch, meta, proofs } = overlay.draft(path, text);
    const readAgentText = (agent: string) =>
      overlay.has(agent) ? overlay.agent(agent).body : undefined;
    const machine = sketch && buildWorkflowMachine(path, meta, sketch, readAgentText);
    return { diagnostics, machine, proofs: toInvariantProofs(sketch, proofs) };
  };

  return {
    async lintWorkflow({ path, text, layer = 'tenant', repo }) {
      checkLayerPath(path);
      return lint(await resolve(repo), path, text, layer);
    },
    async simulateWorkflow({ path, text, script = '', repo }) {
      checkLayerPath(path);
      return simulateText(await resolve(repo), path, text, script);
    },
    async intelligenceLayers({ repo }) {
      const { layers, files: merged, tenantProblem } = await resolve(repo);
      return {
        layers: layers.map(({ name, origin, files }) => ({
          name,
          origin,
          editable: editable(name),
          ...(name === 'tenant' && tenantProblem ? { problem: tenantProblem } : {}),
          ...toShownLeftOut(merged, name),
          files: [...files]
            .map(([path, bytes]) => ({ path, bytes: bytes.length }))
            .sort((a, b) => (a.path < b.path ? -1 : 1)),
        })),
      };
    },
    async intelligenceFile({ path, layer, repo }) {
      checkLayerPath(path);
      const { layers } = await resolve(repo);
      const { etag, file } = readLayerFile(layers, { path, layer });
      return { etag, file: { ...file, editable: editable(file.layer) } };
    },
    writeIntelligenceFile: (path, text, ifMatch, by = 'open') =>
      tenantFolder.inTurn(async (root) => {
        checkWritablePath(path);
        const isLinted =
          /^(?:workflows\/[^/]+|agents\/.+)\.md$/.test(path) && path !== 'workflows/README.md';
        const diagnostics: Diagnostic[] = isLinted
          ? lint(await resolve(undefined), path, text, 'tenant').diagnostics
          : [];
        const mistakes = diagnostics.filter(({ severity }) => severity === 'error');
        // Jobs read the layers again at every phase: a broken file would make running jobs fail.
        if (mistakes.length > 0)
          throw new SvcError(
            'workflow-invalid',
            `${path} has ${mistakes.length === 1 ? 'an error' : `${mistakes.length} errors`}; it was not written.`,
            {
              data: { diagnostics },
            },
          );
        const before = await readTenantText(root, path);
        const etag = await writeTenantFile(root, path, text, { ifMatch, draftName: nextDraft() });
        await versions.keep([{ path, before, after: text }], { author: DEVELOPER, by });
        return { etag, diagnostics };
      }),
    removeIntelligenceFile: (path, ifMatch, by = 'open') =>
      tenantFolder.inTurn(async (root) => {
        checkWritablePath(path);
        const before = await readTenantText(root, path);
        await removeTenantFile(root, path, ifMatch);
        await versions.keep([{ path, before, after: null }], { author: DEVELOPER, by });
      }),
    intelligenceHistory: ({ path }) => versions.history(path),
    intelligenceVersion: ({ path, n }) => versions.version(path, n),
    async mergedFile({ path, repo }) {
      checkLayerPath(path);
      return readMergedFile((await resolve(repo)).files, path);
    },
  };
};
