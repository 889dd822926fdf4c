import { SvcError } from '../../base/errors/errors.ts';
import { type FailedBuild, openFailedBuild, openUpgradePlan } from './upgradePlan.ts';
import { isOtherProgram, type Program } from './program.ts';
import { putBack } from './stateCopy.ts';

interface LeftBehindDeps {
  isBusy(pid: number): boolean;
  isHeld(stateDb: string): boolean;
}

/**
 * Finishes what a supervisor that was killed has left, before the state is opened by `program`: a
 * program on trial is taken back where `program` is the previous one, since nothing that it did was
 * acknowledged; any other start continues with the state as it is. Safe to repeat. Throws SvcError
 * `locked` while a supervisor still carries it out.
 */
export async function finishUpgrade(
  home: string,
  stateDb: string,
  program: Program,
  { isBusy, isHeld }: LeftBehindDeps,
): Promise<void> {
  const file = openUpgradePlan(home);
  const plan = await file.read();
  if (plan === null || plan.step === 'over') return;
  if (isBusy(plan.pid))
    throw new SvcError(
      'locked',
      `Process ${plan.pid} is switching this home to svc ${plan.to.version}. Wait a moment; svc runner status says what runs then.`,
    );
  const isBefore = !isOtherProgram(plan.from, program);
  if (plan.copy !== null && (plan.step === 'taking-back' || (plan.step === 'trial' && isBefore))) {
    if (isHeld(stateDb))
      throw new SvcError(
        'locked',
        `svc ${plan.to.version}, which was about to take over, still uses ${stateDb}. Wait until it exits.`,
      );
    await putBack(stateDb, plan.copy);
  }
  await file.write({ ...plan, step: 'over', reason: 'svc exited before it was healthy.' });
}

/** Why another program runs in place of `program`, which was taken back; null = it may run. */
export async function findFailedBuild(home: string, program: Program): Promise<FailedBuild | null> {
  const failedBuild = await openFailedBuild(home).read();
  return failedBuild !== null && !isOtherProgram(failedBuild.program, program) ? failedBuild : null;
}
