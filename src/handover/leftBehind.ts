import { type FailedBuild, failedBuildOf, planOf } from './plan.ts';
import { differ, type Program } from './program.ts';
import { putBack } from './stateCopy.ts';

/**
 * Finishes what a keeper that was killed has left, before the state is opened by `program`: a
 * program on trial is taken back where `program` is the one of before, since nothing that it did was
 * acknowledged; any other start continues with the state as it is. Safe to repeat.
 */
export async function finishHandOver(
  home: string,
  stateDb: string,
  program: Program,
): Promise<void> {
  const file = planOf(home);
  const plan = await file.read();
  if (plan === null || plan.step === 'over') return;
  const isBefore = !differ(plan.from, program);
  if (plan.copy !== null && (plan.step === 'taking-back' || (plan.step === 'trial' && isBefore)))
    await putBack(stateDb, plan.copy);
  await file.write({ ...plan, step: 'over', reason: 'svc ended before it was healthy.' });
}

/** Why another program runs in the place of `program`, which was taken back; null = it may run. */
export async function failedBuild(home: string, program: Program): Promise<FailedBuild | null> {
  const failed = await failedBuildOf(home).read();
  return failed !== null && !differ(failed.program, program) ? failed : null;
}
