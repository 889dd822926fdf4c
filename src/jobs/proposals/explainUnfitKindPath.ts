import { explainBadLayerPath } from '../../workflows/overlay/layer.ts';
import { isAgentPath, isWorkflowPath } from '../../workflows/overlay/layerFiles.ts';
import type { ProposalKind } from '../../base/agents/proposals.ts';

/** Where files of a kind are, for errors. */
const PLACES: Readonly<Record<ProposalKind, string>> = {
  memory: 'memory/<name>.md or .claude/CLAUDE.md',
  skill: '.claude/skills/<name>/<file>.md',
  agent: 'agents/<name>.md',
  workflow: 'workflows/<name>.md, and the agents/<name>.md of its phases',
};

const isMemory = (path: string): boolean =>
  path === '.claude/CLAUDE.md' || /^memory\/.+\.md$/.test(path);

const FITS: Readonly<Record<ProposalKind, (path: string) => boolean>> = {
  memory: isMemory,
  skill: (path) => /^\.claude\/skills\/[^/]+\/.+\.md$/.test(path),
  agent: isAgentPath,
  // A workflow and the agents that it names are one change.
  workflow: (path) => isWorkflowPath(path) || isAgentPath(path),
};

/** Letters without look-alikes. A new name with other letters could look like an existing one. */
const PLAIN = /^[A-Za-z0-9._/-]+$/;

/**
 * Why a file of this kind cannot have this path in a layer; null = it can. `exists`: the layer has
 * a file there.
 */
export function explainUnfitKindPath(
  kind: ProposalKind,
  path: string,
  exists: boolean,
): string | null {
  const problem = explainBadLayerPath(path);
  if (problem !== null) return `the path ${JSON.stringify(path)} ${problem}`;
  if (path.split('/').includes('.git')) return `${path} belongs to git`;
  if (!FITS[kind](path)) return `${path} is not a file of kind ${kind}; use ${PLACES[kind]}`;
  if (!exists && !PLAIN.test(path))
    return `the new path ${JSON.stringify(path)} has characters other than a-z, 0-9, dot, dash and underscore, which may look alike`;
  return null;
}
