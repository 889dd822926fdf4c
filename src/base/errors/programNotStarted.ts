import { SvcError } from './errors.ts';

/** The program of an agent could not be started; the message says why and where it is set. */
export class ProgramNotStarted extends SvcError {
  constructor(message: string, cause: unknown) {
    super('not-possible-now', message, { cause });
  }
}
