import { SvcError } from '../../src/base/errors/errors.ts';

/** The SvcError that something throws; fails when it throws nothing or something else. */
export async function catchRefusal(run: () => unknown): Promise<SvcError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error('expected a refusal, but it went through');
}

export const codeOfRefusal = async (run: () => unknown): Promise<string> =>
  (await catchRefusal(run)).code;
