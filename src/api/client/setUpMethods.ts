import type {
  SetUpAnswer,
  SetUpReply,
  SetUpStep,
  SetUpView,
} from '../../contract/schema/runner/setUpSteps.ts';
import type { createTransport } from './transport.ts';

/** The setup wizard. */
export function createSetUpMethods({ json }: Pick<ReturnType<typeof createTransport>, 'json'>) {
  return {
    setUp: () => json<SetUpView>('GET', '/setup'),
    answerSetUpStep: (step: SetUpStep['step'], body: SetUpAnswer) =>
      json<SetUpReply>('POST', `/setup/${step}`, { body }),
    skipSetUpStep: (step: SetUpStep['step']) =>
      json<SetUpReply>('POST', `/setup/skip/${step}`, { body: {} }),
    completeSetUp: () => json<SetUpReply>('POST', '/setup/complete', { body: {} }),
  };
}
