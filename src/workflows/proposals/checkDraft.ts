import type { ProposalDraft } from '../../contract/workflow/proposing.ts';
import {
  MAX_PROPOSAL_CHARS,
  MAX_PROPOSAL_FILE_CHARS,
  MAX_PROPOSAL_FILES,
  PROPOSAL_KINDS,
  type ProposalKind,
} from '../../base/agents/proposals.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { explainBadLayerPath } from '../overlay/layer.ts';
import { isAgentPath, isWorkflowPath } from '../overlay/layerFiles.ts';

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

/** What a proposal for this file alone is about; null = no kind of proposal may have it. */
export const findProposalKind = (path: string): ProposalKind | null =>
  PROPOSAL_KINDS.find((kind) => FITS[kind](path)) ?? null;

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

export const createDraftError = (message: string): SvcError =>
  new SvcError('bad-argument', `${message} Nothing was stored.`);
const createTooLargeDraftError = (message: string): SvcError =>
  new SvcError('too-large', `${message} Nothing was stored.`);

/** Throws SvcError `bad-argument` or `too-large`. */
export function checkDraft({ files, description }: ProposalDraft): void {
  if (description.trim() === '')
    throw createDraftError('The description is empty: say what improves, and why.');
  if (files.length === 0) throw createDraftError('A proposal needs at least one file.');
  if (files.length > MAX_PROPOSAL_FILES)
    throw createTooLargeDraftError(
      `${files.length} files exceed the limit of ${MAX_PROPOSAL_FILES} per proposal, because a person reads it. Split it.`,
    );
  let all = 0;
  const names = new Set<string>();
  for (const { path, text } of files) {
    const name = path.toLowerCase();
    if (names.has(name))
      throw createDraftError(
        `${path} appears twice, or differs from another path only in upper and lower case.`,
      );
    names.add(name);
    const chars = text?.length ?? 0;
    all += chars;
    if (chars > MAX_PROPOSAL_FILE_CHARS)
      throw createTooLargeDraftError(
        `${path} has ${chars} characters; a file of a proposal may have ${MAX_PROPOSAL_FILE_CHARS}.`,
      );
  }
  if (all > MAX_PROPOSAL_CHARS)
    throw createTooLargeDraftError(
      `The files have ${all} characters together; a proposal may have ${MAX_PROPOSAL_CHARS}. Split it.`,
    );
}
