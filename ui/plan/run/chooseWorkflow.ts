import type { ProposedRun } from '../../../src/contract/schema/planning/proposedRun.ts';
import type { WorkflowEntry } from '../../../src/contract/schema/workflow/workflow.ts';
import { describeRemovedMember } from '../../../src/shared/agents/describeRemovedMember.ts';

/** The workflow of the run form. */
interface ChosenWorkflow {
  /** Empty: a person has to choose. */
  path: string;
  /** The model has chosen it, and no person another. */
  isModels: boolean;
  /** Why a choice is not taken, for people; null = it is, or none was made. */
  refused: string | null;
}

interface ChooseWorkflow {
  /** Path that a person has chosen; empty = none. */
  typed: string;
  run: Pick<ProposedRun, 'workflowPath' | 'removed'> | null;
  usable: readonly Pick<WorkflowEntry, 'id' | 'workflowPath'>[];
}

const CHOOSE = 'Choose the workflow that should run.';

/**
 * The workflow of a run: the person's choice, else the model's. A choice that cannot be run leaves
 * the field empty: another workflow in its place would do something that no one has chosen. Where
 * no one has chosen, it is the default job.
 */
export function chooseWorkflow({ typed, run, usable }: ChooseWorkflow): ChosenWorkflow {
  const isUsable = (path: string) => usable.some(({ workflowPath }) => workflowPath === path);
  if (typed !== '' && isUsable(typed)) return { path: typed, isModels: false, refused: null };
  const open = (why: string) => ({ path: '', isModels: false, refused: `${why} ${CHOOSE}` });
  if (typed !== '') return open(`The workflow ${typed}, which you chose, can no longer be run.`);
  const proposed = run?.workflowPath ?? null;
  if (proposed !== null && isUsable(proposed))
    return { path: proposed, isModels: true, refused: null };
  if (proposed !== null)
    return open(`The workflow ${proposed}, which the model chose, can no longer be run.`);
  const removed = run?.removed.find(({ name }) => name === 'workflowPath');
  if (removed) return open(describeRemovedMember(removed));
  const byDefault = usable.find(({ id }) => id === 'job') ?? usable[0];
  return { path: byDefault?.workflowPath ?? '', isModels: false, refused: null };
}
