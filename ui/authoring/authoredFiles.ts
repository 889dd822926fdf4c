import type { LayerList } from '../../src/schema/intelligence.ts';

export type LayerName = LayerList['layers'][number]['name'];

/** A workflow or an agent, with the layers that have it; the last one's counts. */
export interface AuthoredFile {
  path: string;
  kind: 'workflow' | 'agent';
  layers: LayerName[];
}

const kindOf = (path: string): AuthoredFile['kind'] | null =>
  /^workflows\/[^/]+\.md$/.test(path) && path !== 'workflows/README.md'
    ? 'workflow'
    : /^agents\/.+\.md$/.test(path)
      ? 'agent'
      : null;

/** The workflows and agents of all layers, by path. */
export function authoredFiles({ layers }: LayerList): AuthoredFile[] {
  const found = new Map<string, AuthoredFile>();
  for (const { name, files } of layers) {
    for (const { path } of files) {
      const kind = kindOf(path);
      if (kind === null) continue;
      const one = found.get(path) ?? { path, kind, layers: [] };
      one.layers.push(name);
      found.set(path, one);
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether files of the tenant layer can be saved here. */
export const canSave = ({ layers }: LayerList): boolean => layers.some(({ editable }) => editable);

/** What a new workflow begins with. */
export const newWorkflow = (name: string): string => `---
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

/** What each layer is, for people. */
export const LAYER_MEANINGS: Readonly<Record<LayerName, string>> = {
  base: 'Built into svc',
  tenant: "Your team's: tenant.overlay in the configuration",
  repo: "The repository's",
};
