import type { RunnerProcess } from '../../../contract/runner/runnerProcess.ts';
import { SvcError } from '../../../base/errors/errors.ts';

/** For a runner that is a part of another program, such as a test or `svc run`. */
export const FOREIGN_PROCESS: RunnerProcess = {
  stop() {
    throw new SvcError(
      'not-possible-now',
      'This runner ends with the program that it is a part of.',
    );
  },
  end() {
    throw new SvcError(
      'not-possible-now',
      'This runner ends with the program that it is a part of.',
    );
  },
  async restart() {
    throw new SvcError('not-possible-now', 'This runner is a part of another program.');
  },
};
