import { EmptyBody } from '../../../contract/schema/api/bodies.ts';
import { SET_UP_STEPS } from '../../../shared/settings/setUpSteps.ts';
import { SetUpAnswer, SetUpReply, SetUpView } from '../../../contract/schema/runner/setUpSteps.ts';
import { SvcError } from '../../../shared/errors/errors.ts';
import { defineJsonRoute } from '../route.ts';

const refusals = [
  'bad-argument',
  'invalid',
  'config-invalid',
  'precondition-failed',
  'store-failed',
] as const;

function parseSetUpStep(name: string): (typeof SET_UP_STEPS)[number] {
  const step = SET_UP_STEPS.find((one) => one === name);
  if (step) return step;
  throw new SvcError('not-found', `No step is called ${name}. Steps: ${SET_UP_STEPS.join(', ')}.`);
}

/** The setup wizard: what is found on this machine, and one answer at a time. */
export const setUpRoutes = [
  defineJsonRoute({
    name: 'setUp',
    // It starts programs to ask for their versions.
    access: 'write',
    method: 'GET',
    path: '/setup',
    summary:
      'The steps of the setup wizard: what was found on this machine, what is saved, the choices and what each would write.',
    reply: SetUpView,
    refusals: ['config-invalid'],
    handle: (_call, { setUp }) => setUp.view(),
  }),
  defineJsonRoute({
    name: 'completeSetUp',
    access: 'write',
    method: 'POST',
    path: '/setup/complete',
    summary: 'Ends the setup wizard; steps that are still open count as skipped.',
    body: EmptyBody,
    bodyRequired: false,
    reply: SetUpReply,
    refusals,
    handle: (_call, { setUp }) => setUp.complete(),
  }),
  defineJsonRoute({
    name: 'skipSetUpStep',
    access: 'write',
    method: 'POST',
    path: '/setup/skip/:step',
    summary: 'Leaves a step of the setup wizard for later; what it has saved stays.',
    body: EmptyBody,
    bodyRequired: false,
    reply: SetUpReply,
    refusals,
    handle: ({ params }, { setUp }) => setUp.skipStep(parseSetUpStep(params.step)),
  }),
  defineJsonRoute({
    name: 'answerSetUpStep',
    access: 'write',
    method: 'POST',
    path: '/setup/:step',
    summary:
      'Answers a step of the setup wizard and writes the answer at once. Secrets go in and never come out.',
    body: SetUpAnswer,
    reply: SetUpReply,
    refusals,
    handle: ({ params, body }, { setUp }) => setUp.answer(parseSetUpStep(params.step), body),
  }),
];
