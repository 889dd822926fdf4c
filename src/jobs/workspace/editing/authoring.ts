import type { ResolvedOverlay } from '../jobOverlays.ts';
import type { Workplace } from '../workplace.ts';
import { suggestClosestName } from '../../../base/text/findClosestName.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { groupLeftOutItems } from '../../../workflows/overlay/toLeftOutFindings.ts';
import { isAppended, type Overlay } from '../../../workflows/overlay/mergeLayers.ts';
import { explainBadLayerPath } from '../../../workflows/overlay/layer.ts';
import type { LayerName } from '../../../workflows/definition/parseAgent.ts';
import type { Diagnostic } from '../../../contract/schema/workflow/diagnostic.ts';
import type { LayerList, MergedFile } from '../../../contract/schema/workflow/intelligence.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { toInvariantProofs } from '../../../workflows/definition/invariants/toInvariantProofs.ts';
import { buildWorkflowMachine } from '../../../workflows/definition/buildWorkflowMachine.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import { simulateText } from './simulateText.ts';
import type { TenantFolder } from './tenantFolder.ts';
import type { FileVersions } from './fileVersions.ts';
import {
  checkWritablePath,
  toTextEtag,
  readTenantText,
  removeTenantFile,
  writeTenantFile,
} from './tenantFile.ts';

/** The line that mergeLayers puts before the text of each layer. */
const BANNER = /^<!-- svc: from the (base|tenant|repo) layer /;

/** The layer of each line; svc's banners and blank lines around them belong to none. */
function splitByLayer(text: string, layers: readonly LayerName[], isAppended: boolean) {
  const lines = text.replace(/\n$/, '').split('\n');
  const [only] = layers;
  if (!isAppended) return [{ layer: only ?? null, lines: lines.length }];
  const parts: { layer: LayerName | null; lines: number }[] = [];
  let layer: LayerName | null = null;
  for (const [at, line] of lines.entries()) {
    const banner = BANNER.exec(line)?.[1];
    if (banner !== undefined) layer = banner as LayerName;
    const isOwn = banner !== undefined || (line === '' && BANNER.test(lines[at - 1] ?? ''));
    const of = isOwn ? null : layer;
    const last = parts.at(-1);
    if (last && last.layer === of) last.lines += 1;
    else parts.push({ layer: of, lines: 1 });
  }
  return parts;
}

/** A file as agents see it, with the layer of each line. Throws SvcError `not-found`. */
export function readMergedFile({ files }: ResolvedOverlay, path: string): MergedFile {
  const file = files.files.get(path);
  if (!file)
    throw new SvcError(
      'not-found',
      `No layer has ${path}. ${suggestClosestName(path, [...files.files.keys()].slice(0, 50))}`,
    );
  const text = new TextDecoder().decode(file.bytes);
  const isAppended = BANNER.test(text);
  return {
    path,
    text,
    parts: splitByLayer(text, file.layers, isAppended),
    replaces: (file.replaces ?? []).map(({ layer }) => layer),
  };
}

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
  nextDraft(): string;
}

/** Name of a person who gives none. */
const DEVELOPER = 'developer';

const IN_AGENTS = /(?:^|\/)agents\//;

const checkOverlayPath = (path: string): void => {
  const problem = explainBadLayerPath(path);
  if (problem !== null)
    throw new SvcError('bad-argument', `The path ${JSON.stringify(path)} ${problem}.`);
};

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
  nextDraft,
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
      checkOverlayPath(path);
      return lint(await resolve(repo), path, text, layer);
    },
    async simulateWorkflow({ path, text, script = '', repo }) {
      checkOverlayPath(path);
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
      checkOverlayPath(path);
      const { layers } = await resolve(repo);
      const having = layers.filter(({ files }) => files.has(path));
      const one = layer === undefined ? having.at(-1) : having.find(({ name }) => name === layer);
      const bytes = one?.files.get(path);
      if (!one || !bytes) {
        const paths = layers
          .filter(({ name }) => layer === undefined || name === layer)
          .flatMap(({ files }) => [...files.keys()]);
        const where = layer === undefined ? 'No layer' : `The ${layer} layer`;
        throw new SvcError(
          'not-found',
          `${where} has no ${path}. ${suggestClosestName(path, [...new Set(paths)].slice(0, 50))}`,
        );
      }
      const file = {
        path,
        layer: one.name,
        text: new TextDecoder().decode(bytes),
        editable: editable(one.name),
      };
      return { etag: toTextEtag(bytes), file: { ...file, layers: having.map(({ name }) => name) } };
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
      checkOverlayPath(path);
      return readMergedFile(await resolve(repo), path);
    },
  };
};
