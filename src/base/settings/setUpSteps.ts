/** The steps of the setup wizard in their order: model, forge, tracker, decision layer. */
export const SET_UP_STEPS = ['llm', 'scm', 'tracker', 'decision'] as const;
export type SetUpStepName = (typeof SET_UP_STEPS)[number];
