import { SvcError } from '../../base/errors/errors.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import { discoverWorkflows, type WorkflowDiscovery } from '../definition/discoverWorkflows.ts';
import { createFindings } from '../definition/findings.ts';
import { parseFrontMatter } from '../definition/parseFrontMatter.ts';
import { checkGotoNames } from '../definition/gotoRule.ts';
import { checkMergesInText } from '../definition/mergeRule.ts';
import { checkCallsInText } from '../definition/textRules.ts';
import { LAYER_NAMES, parseAgent, type ParsedAgent } from '../definition/parseAgent.ts';
import { parseWorkflow, type ParsedWorkflow } from '../definition/parseWorkflow.ts';
import type { WorkflowContext } from '../definition/workflowContext.ts';
import type { LayerName } from './layer.ts';
import { isAgentPath, isWorkflowPath } from './layerFiles.ts';
import { isAppended, type Overlay } from './mergeLayers.ts';
import type { GivenInvariants } from '../definition/invariants/checkInvariants.ts';

/** A layer's file with rules for every workflow. */
const RULES_OF_ALL = 'invariants.md';

/**
 * The rules for the workflow at this path whatever its file in layer `own` says: those of the files
 * that it replaces, and of every layer's `invariants.md`. A layer can add rules but drop none.
 */
function collectGivenInvariants(
  { files }: Overlay,
  path: string,
  own: LayerName,
): GivenInvariants[] {
  const readGivenInvariants = (
    file: string,
    layer: LayerName,
    bytes: Uint8Array,
  ): GivenInvariants[] => {
    const { data, diagnostics } = parseFrontMatter(bytes, file);
    const isReadable = diagnostics.every(({ severity }) => severity !== 'error');
    const list = isReadable ? data.invariants : `the front matter of ${file}, which has mistakes`;
    return list === undefined ? [] : [{ from: layer, list }];
  };
  const isBefore = (layer: LayerName): boolean =>
    LAYER_NAMES.indexOf(layer) < LAYER_NAMES.indexOf(own);
  const replacedFiles = files.get(path)?.replaces ?? [];
  const ofAll = files.get(RULES_OF_ALL);
  const everywhere = ofAll
    ? [...(ofAll.replaces ?? []), { layer: ofAll.layers.at(-1) ?? own, bytes: ofAll.bytes }]
    : [];
  return [
    ...everywhere.flatMap(({ layer, bytes }) => readGivenInvariants(RULES_OF_ALL, layer, bytes)),
    ...replacedFiles
      .filter(({ layer }) => isBefore(layer))
      .flatMap(({ layer, bytes }) => readGivenInvariants(path, layer, bytes)),
  ];
}

/** An agent of the overlay, with its layer. */
export interface OverlayAgent extends ParsedAgent {
  layer: LayerName;
  /** The layer's folder, for `{layer}` in its command; null = none. */
  layerRoot: string | null;
}

/** An overlay to query. Paths are those of the overlay, such as `workflows/job.md`. */
export interface OpenOverlay {
  readonly hash: string;
  has(path: string): boolean;
  /** Throws SvcError `not-found`. */
  text(path: string): string;
  /**
   * The layer whose file counts; for an appended path the last one. Throws SvcError `not-found`.
   */
  findLayer(path: string): LayerName;
  /**
   * Linted together with the agents of its phases; `table` is null if any has an error. Throws
   * SvcError `not-found`.
   */
  workflow(path: string): ParsedWorkflow;
  /**
   * A text linted as if it were at this path of the overlay, by the rules of this layer (default:
   * tenant); without findings of its agents' files.
   */
  draft(path: string, text: string | Uint8Array, layer?: LayerName): ParsedWorkflow;
  draftAgent(path: string, text: string, layer: LayerName): ParsedAgent;
  /** All of `workflows/`; broken ones are left out and reported. */
  workflows(): WorkflowDiscovery;
  /** Throws SvcError `not-found`. */
  agent(path: string): OverlayAgent;
  /**
   * The text of a path (`memory/….md`, or `CLAUDE.md`), or the list of them. Throws SvcError
   * `not-found`.
   */
  memory(path: string | null): { path: string; text: string } | { files: string[] };
}

const decoder = new TextDecoder();

/**
 * The files of an overlay do not change, so each is read once, however many phases and workflows
 * name it.
 */
function memoizeByPath<T>(read: (path: string) => T): (path: string) => T {
  const cache = new Map<string, T>();
  return (path) => {
    const value = cache.get(path) ?? read(path);
    cache.set(path, value);
    return value;
  };
}

export type OverlayContext = Pick<
  WorkflowContext,
  | 'aliases'
  | 'executors'
  | 'unknownTool'
  | 'unknownProvider'
  | 'servers'
  | 'interactive'
  | 'caps'
  | 'invariants'
  | 'lacksProgram'
>;

/**
 * `aliases`: names of the configured model aliases; `executors`: who can run a phase;
 * `unknownTool`: what to report for a wrong tool name. Missing parts are not checked.
 */
export function openOverlay(overlay: Overlay, context: OverlayContext = {}): OpenOverlay {
  const paths = [...overlay.files.keys()];
  const agents = paths.filter(isAgentPath);
  const workflowPaths = paths.filter(isWorkflowPath);

  const fileAt = (path: string, near: readonly string[]) => {
    const file = overlay.files.get(path);
    if (!file) {
      const bad = missing(path);
      const why =
        bad === undefined
          ? suggestClosestName(path, near)
          : `It was omitted from the ${bad.layer} layer: ${bad.reason}. ${bad.hint}`;
      throw new SvcError('not-found', `The overlay has no ${path}. ${why}`);
    }
    return file;
  };
  const text = (path: string) => decoder.decode(fileAt(path, paths.slice(0, 50)).bytes);
  const findLayer = (path: string): LayerName => fileAt(path, []).layers.at(-1) ?? 'base';

  const findSource = (path: string) => {
    const layer = findLayer(path);
    const { root: layerRoot = null, trusted = layer !== 'repo' } =
      overlay.layers.find((one) => one.name === layer) ?? {};
    return { layer, layerRoot, trusted };
  };

  const agent = memoizeByPath((path): OverlayAgent => {
    const { layer, layerRoot, trusted } = findSource(path);
    const { bytes } = fileAt(path, paths.slice(0, 50));
    const parsed = parseAgent(bytes, path, layer, { ...context, trusted, layerRoot });
    return { ...parsed, layer, layerRoot };
  });

  const agentFindings = (parsed: ParsedWorkflow): Diagnostic[] =>
    parsed.agents
      .filter((path) => overlay.files.has(path))
      .flatMap((path) => {
        const { diagnostics, body, bodyLine } = agent(path);
        const findings = createFindings(path);
        checkGotoNames(body, bodyLine, parsed.phases, findings);
        checkCallsInText(body, bodyLine, { workflows: workflowPaths }, findings);
        const ownPhases = parsed.sketch?.phases.filter((phase) => phase.agent === path) ?? [];
        if (ownPhases.length > 0) checkMergesInText(body, bodyLine, ownPhases, findings);
        return [...diagnostics, ...findings.list];
      });

  /** The faulty item of a later layer that would replace this file. */
  const missing = (path: string) => {
    const rank = overlay.files.has(path) ? LAYER_NAMES.indexOf(findLayer(path)) : -1;
    return overlay.leftOut.find(
      ({ path: bad, layer }) =>
        (bad === path || path.startsWith(`${bad}/`)) && LAYER_NAMES.indexOf(layer) > rank,
    );
  };

  /** A faulty item is not an error by itself; a workflow that needs it cannot run without it. */
  const neededFindings = ({ file, agents: agentNames }: ParsedWorkflow): Diagnostic[] => {
    const findings = createFindings(file);
    for (const path of new Set([file, RULES_OF_ALL, ...agentNames])) {
      const bad = missing(path);
      if (bad !== undefined)
        findings.error(
          'left-out',
          { line: 1, column: 1 },
          `It needs ${path}, which was omitted from the ${bad.layer} layer: ${bad.reason}.`,
          bad.hint,
        );
    }
    return findings.list;
  };

  const coordinates = memoizeByPath((path): { enabled: boolean } => {
    const file = overlay.files.get(path);
    const coordinator = file ? parseFrontMatter(file.bytes, path).data.coordinator : null;
    return { enabled: Object(coordinator).enabled === true };
  });

  const workflowContext: WorkflowContext = {
    ...context,
    agents,
    workflows: workflowPaths,
    hasAgent: (path) => overlay.files.has(path),
    coordinates: (path) => coordinates(path).enabled,
    agentCommand(path) {
      if (!isAgentPath(path) || !overlay.files.has(path)) return undefined;
      const { command, diagnostics } = agent(path);
      return diagnostics.some(({ severity }) => severity === 'error') ? undefined : command;
    },
    agentText(path) {
      const file = overlay.files.get(path);
      return file ? decoder.decode(file.bytes) : null;
    },
  };

  /** A draft belongs to the layer of its file, else to `layer`. */
  const contextIn = (path: string, layer: LayerName, trusted: boolean): WorkflowContext => {
    const own = overlay.files.has(path) ? findLayer(path) : layer;
    return {
      ...workflowContext,
      invariants: [...(context.invariants ?? []), ...collectGivenInvariants(overlay, path, own)],
      trusted,
      isOfSameLayer: (agentPath) => overlay.files.has(agentPath) && findLayer(agentPath) === own,
    };
  };
  const draft = (
    path: string,
    source: string | Uint8Array,
    layer: LayerName = 'tenant',
  ): ParsedWorkflow => parseWorkflow(source, path, contextIn(path, layer, layer !== 'repo'));
  const workflow = memoizeByPath((path): ParsedWorkflow => {
    const { bytes } = fileAt(path, workflowPaths);
    const { layer, trusted } = findSource(path);
    const parsed = parseWorkflow(bytes, path, contextIn(path, layer, trusted));
    const more = [...agentFindings(parsed), ...neededFindings(parsed)];
    const broken = more.some((one) => one.severity === 'error');
    return {
      ...parsed,
      table: broken ? null : parsed.table,
      diagnostics: [...parsed.diagnostics, ...more],
    };
  });

  return {
    hash: overlay.hash,
    has: (path) => overlay.files.has(path),
    text,
    findLayer,
    workflow,
    draft,
    draftAgent: (path, source, layer) => parseAgent(source, path, layer, context),
    workflows: () => discoverWorkflows(workflowPaths.map(workflow)),
    agent,
    memory(path) {
      const files = paths.filter(isAppended);
      if (path === null) return { files };
      const real = path === 'CLAUDE.md' ? '.claude/CLAUDE.md' : path;
      if (!files.includes(real))
        throw new SvcError(
          'not-found',
          `The memory file ${path} does not exist. ${suggestClosestName(path, files)}`,
        );
      return { path: real, text: text(real) };
    },
  };
}
