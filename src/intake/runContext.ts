import type { IntakeContext } from '../contract/schema/planning/intake.ts';
import type { IntakeParts, RunnableParts } from './intakeParts.ts';
import type { TurnWorkDeps } from './turnDeps.ts';

/** Most workflows, and most repositories, of the runner's own lists that a turn is shown. */
const MAX_OWN = 100;

const NOTHING: RunnableParts = { workflows: [], broken: [], repositories: [] };

/** What a run can be made of; empty if that cannot be read now, which ends no turn. */
export const readRunnable = (
  parts: Pick<IntakeParts, 'runnable'>,
  onError: TurnWorkDeps['onError'],
): Promise<RunnableParts> =>
  parts.runnable().catch((error: unknown) => {
    onError('context', error);
    return NOTHING;
  });

const isEmptyList = (list: readonly unknown[] | undefined): boolean => (list ?? []).length === 0;

/**
 * The context of a turn: that of the request, and the runner's own workflows and repositories where
 * it names none, so that the model can always choose.
 */
export async function fillContext(
  givenContext: IntakeContext,
  parts: Pick<IntakeParts, 'runnable'>,
  onError: TurnWorkDeps['onError'],
): Promise<IntakeContext> {
  const { availableWorkflows, recentRepos } = givenContext;
  if (!isEmptyList(availableWorkflows) && !isEmptyList(recentRepos)) return givenContext;
  const { workflows, repositories } = await readRunnable(parts, onError);
  const context = { ...givenContext };
  if (isEmptyList(availableWorkflows)) context.availableWorkflows = workflows.slice(0, MAX_OWN);
  if (isEmptyList(recentRepos)) context.recentRepos = repositories.slice(0, MAX_OWN);
  return context;
}
