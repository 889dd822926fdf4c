import type { LayerList } from '../../src/contract/schema/workflow/intelligence.ts';

export type LayerName = LayerList['layers'][number]['name'];

/**
 * What a file is to agents. `other`: settings, programs and other files that svc does not write.
 */
export type FileKind = 'workflow' | 'agent' | 'memory' | 'skill' | 'other';

/** A file of the overlay with its layers: the last one counts, of memory all of them. */
export interface AuthoredFile {
  path: string;
  kind: FileKind;
  layers: LayerName[];
}

/** Paths of what svc writes as Markdown, beside workflows and agents. */
const MEMORY = /^(?:memory\/.+\.md|\.claude\/CLAUDE\.md)$/;

export function classifyAuthoredFile(path: string): FileKind {
  if (/^workflows\/[^/]+\.md$/.test(path) && path !== 'workflows/README.md') return 'workflow';
  if (/^agents\/.+\.md$/.test(path)) return 'agent';
  if (MEMORY.test(path)) return 'memory';
  return /^\.claude\/skills\/.+\.md$/.test(path) ? 'skill' : 'other';
}

export const isWritableFile = (path: string): boolean => classifyAuthoredFile(path) !== 'other';

export const isJoinedFile = (path: string): boolean => classifyAuthoredFile(path) === 'memory';

export function listAuthoredFiles({ layers }: LayerList): AuthoredFile[] {
  const authoredFiles = new Map<string, AuthoredFile>();
  for (const { name, files } of layers) {
    for (const { path } of files) {
      const one = authoredFiles.get(path) ?? { path, kind: classifyAuthoredFile(path), layers: [] };
      one.layers.push(name);
      authoredFiles.set(path, one);
    }
  }
  return [...authoredFiles.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

export const canSave = ({ layers }: LayerList): boolean => layers.some(({ editable }) => editable);

export const createWorkflowTemplate = (name: string): string => `---
label: ${name}
description: What it is for.
initial_phase: coding
phases:
  - name: coding
    agent: agents/coder.md
    status: coding
---

# ${name}

What every agent of this workflow must know.
`;

export const LAYER_MEANINGS: Readonly<Record<LayerName, string>> = {
  base: 'Built into svc',
  tenant: "Your team's overlay",
  repo: "The repository's",
};

export const explainReadOnlyFile = (path: string, repo: string | null): string =>
  isWritableFile(path)
    ? `This file belongs to ${repo ?? 'a repository'}: change it there, in a pull request.`
    : 'This file is read-only here because it can run programs. Edit it in its folder.';
