import type { SetUpWizard } from '../../../src/contract/runner/setUp.ts';
import type { SetUpReply, SetUpView } from '../../../src/contract/schema/runner/setUpSteps.ts';

export const A_SET_UP: SetUpView = {
  completedAt: null,
  steps: [
    {
      step: 'scm',
      title: 'Forge',
      state: 'open',
      saved: [],
      found: [],
      choices: [
        {
          id: 'github',
          title: 'Pull requests of GitHub',
          current: false,
          found: null,
          install: null,
          values: [
            {
              name: 'token',
              says: 'Token of the account',
              secret: true,
              required: true,
              proposed: null,
              env: null,
              saved: false,
              asked: true,
            },
          ],
          saves: ['plugins.installed.github.config.token'],
          tokenFrom: 'gh',
          loginIn: null,
        },
      ],
    },
  ],
  repositories: ['shop'],
  caps: 'Jobs stop and ask at $10.00 a job.',
  newCaps: true,
  restart: [],
};

export class FakeSetUp implements SetUpWizard {
  readonly calls: unknown[][] = [];
  readonly #reply: SetUpReply = { notes: ['Noted.'], setUp: A_SET_UP };

  async view() {
    return A_SET_UP;
  }

  async answer(...call: unknown[]) {
    this.calls.push(['answer', ...call]);
    return this.#reply;
  }

  async skipStep(...call: unknown[]) {
    this.calls.push(['skipStep', ...call]);
    return this.#reply;
  }

  async complete() {
    this.calls.push(['complete']);
    return this.#reply;
  }
}
