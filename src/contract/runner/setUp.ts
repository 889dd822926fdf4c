import type { SetUpStepName } from '../../base/settings/setUpSteps.ts';
import type { SetUpAnswer, SetUpReply, SetUpView } from '../schema/runner/setUpSteps.ts';

/**
 * The setup wizard. Each call writes at once what was answered, so that nothing is lost between two
 * steps; what is saved is kept unless an answer gives another value.
 */
export interface SetUpWizard {
  /** What was found here, what is saved and what is open. Throws `config-invalid`. */
  view(): Promise<SetUpView>;
  /**
   * Throws `bad-argument` for an unknown choice, a missing value, or a token that its forge
   * refuses; `config-invalid`, `invalid`, `store-failed`. Nothing is written then.
   */
  answer(step: SetUpStepName, answer: SetUpAnswer): Promise<SetUpReply>;
  /** Leaves the step open for later; what it has saved stays. */
  skipStep(step: SetUpStepName): Promise<SetUpReply>;
  /** Ends the wizard; what is still open counts as skipped. A second time nothing changes. */
  complete(): Promise<SetUpReply>;
}
