import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';

const TOP = [
  'id',
  'label',
  'description',
  'initial_phase',
  'initial_status',
  'phases',
  'coordinator',
  'createParams',
];
const OF_PHASES = [
  'name',
  'agent',
  'status',
  'model',
  'interactive_checkpoint',
  'provider',
  'obligations',
  'tools',
];
const OF_COORDINATOR = [
  'enabled',
  'parkPhase',
  'parkStatus',
  'resumePhase',
  'subRunWorkflowPath',
  'subRunParamsDefault',
  'maxParallelSubRuns',
  'failurePolicy',
  'forwardSiblingInsights',
];

/** The lines before the cursor while it is within the front matter; else null. */
function readFrontMatterBefore({ state, pos }: CompletionContext): string[] | null {
  const lines = state.sliceDoc(0, pos).split('\n');
  return lines[0]?.trim() === '---' && !lines.slice(1).some((line) => line.trim() === '---')
    ? lines
    : null;
}

const listFrontMatterKeys = (lines: readonly string[], indent: string): readonly string[] => {
  if (indent === '') return TOP;
  const block = lines.findLast((line) => /^[A-Za-z]/.test(line)) ?? '';
  return block.startsWith('coordinator')
    ? OF_COORDINATOR
    : block.startsWith('phases')
      ? OF_PHASES
      : [];
};

const createCompletionSource =
  (agents: () => readonly string[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const lines = readFrontMatterBefore(context);
    const line = lines?.at(-1);
    if (!lines || line === undefined) return null;
    const agent = /(?:^|[\s{,])agent:\s+([^\s,}]*)$/.exec(line);
    if (agent) {
      const options = [...agents(), 'null'].map((label) => ({ label, type: 'text' }));
      return { from: context.pos - (agent[1] ?? '').length, options };
    }
    const key = /^(\s*(?:-\s+)?)(\w*)$/.exec(line);
    if (!key || (key[2] === '' && !context.explicit)) return null;
    const options = listFrontMatterKeys(lines, key[1] ?? '').map((label) => ({
      label,
      type: 'property',
      apply: `${label}: `,
    }));
    return { from: context.pos - (key[2] ?? '').length, options };
  };

/** Offers the keys of front matter, and for `agent:` the existing agents. */
export const createFrontMatterCompletion = (agents: () => readonly string[]): Extension => [
  autocompletion({ override: [createCompletionSource(agents)], icons: false }),
  keymap.of(completionKeymap),
];
