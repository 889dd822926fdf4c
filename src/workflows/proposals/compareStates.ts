import { makeOnFirstUse } from '../../base/concurrency/makeOnFirstUse.ts';
import type { ProposalLayer } from '../../base/agents/proposals.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import type { Layer } from '../overlay/layer.ts';
import { isAgentPath } from '../overlay/layerFiles.ts';
import { isAppended } from '../overlay/mergeLayers.ts';
import type { OpenOverlay } from '../overlay/openOverlay.ts';
import { describeMeaning, type ChangedText } from './reading/describeMeaning.ts';
import { collectFileWarnings } from './reading/collectFileWarnings.ts';
import type { ProposalChecks } from '../../contract/schema/workflow/proposal.ts';

/** The merged layers at one moment. */
export interface LayerState {
  overlay: OpenOverlay;
  /** Base first. */
  layers: readonly Layer[];
  /** Paths of the merged files. */
  paths: readonly string[];
}

/** A change of one layer: text by path in the overlay; null = removed. */
export interface LayerChange {
  layer: ProposalLayer;
  changed: ReadonlyMap<string, string | null>;
}

const MAX_FINDINGS = 100;

const toDiagnosticKey = ({ file, code, message }: Diagnostic): string =>
  `${file} ${code} ${message}`;

function collectDiagnostics(
  { overlay }: Pick<LayerState, 'overlay'>,
  agents: readonly string[],
  layer: ProposalLayer,
) {
  const ofAgents = agents
    .filter((path) => overlay.has(path))
    .flatMap((path) => overlay.draftAgent(path, overlay.text(path), layer).diagnostics);
  const all = [...overlay.workflows().diagnostics, ...ofAgents];
  return new Map(all.map((one) => [toDiagnosticKey(one), one]));
}

/** Findings that a change introduces, and all of the changed files. */
function findBroughtDiagnostics(
  before: LayerState,
  after: LayerState,
  { layer, changed }: LayerChange,
): Diagnostic[] {
  const agents = [...changed.keys()].filter(isAgentPath);
  // Most changes have no findings elsewhere: the state before is then not linted.
  const readKnown = makeOnFirstUse(() => collectDiagnostics(before, agents, layer));
  return [...collectDiagnostics(after, agents, layer)]
    .filter(([key, { file }]) => changed.has(file) || !readKnown().has(key))
    .map(([, one]) => one);
}

/** The text of a file in one layer; for memory files, the layers are joined. */
function readTextOfLayer(
  { layers }: LayerState,
  layer: ProposalLayer,
  path: string,
): string | null {
  const bytes = layers.find(({ name }) => name === layer)?.files.get(path);
  return bytes === undefined ? null : new TextDecoder().decode(bytes);
}

function readChangedTexts(
  before: LayerState,
  after: LayerState,
  { layer, changed }: LayerChange,
): ChangedText[] {
  const textIn = ({ overlay }: LayerState, path: string): string | null =>
    overlay.has(path) ? overlay.text(path) : null;
  return [...changed].map(([path, text]) => ({
    path,
    before: isAppended(path) ? readTextOfLayer(before, layer, path) : textIn(before, path),
    // Removing a file may uncover one of an earlier layer.
    after: text === null && !isAppended(path) ? textIn(after, path) : text,
  }));
}

/**
 * What a change does: errors that it introduces, and what a person should know of it. Findings that
 * existed before do not count, unless they are in the changed files.
 */
export function compareStates(
  before: LayerState,
  after: LayerState,
  change: LayerChange,
): { errors: Diagnostic[]; checks: Omit<ProposalChecks, 'simulated'> } {
  const findings = findBroughtDiagnostics(before, after, change);
  const texts = readChangedTexts(before, after, change);
  return {
    errors: findings.filter(({ severity }) => severity === 'error'),
    checks: {
      findings: findings.slice(0, MAX_FINDINGS),
      meaning: texts.flatMap(describeMeaning),
      warnings: texts.flatMap((file) => collectFileWarnings(file, before.paths)),
    },
  };
}

/** The first of these errors as one sentence; null = no error. */
export function formatFirstError(errors: readonly Diagnostic[]): string | null {
  const [first] = errors;
  if (!first) return null;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  return `${first.file}:${first.line}:${first.column} ${first.message}${more}`;
}
