import { execFile } from 'node:child_process';

export interface ProgramResult {
  /** null = it is not installed, or was ended by a signal. */
  code: number | null;
  out: string;
  err: string;
}

/** Longest time for one, ms. */
const LONGEST_MS = 60_000;

/** Runs a program of the machine, such as systemctl; never rejects. */
export const runServiceProgram = (
  program: string,
  args: readonly string[],
): Promise<ProgramResult> =>
  new Promise((resolve) => {
    execFile(program, [...args], { timeout: LONGEST_MS }, (error, out, err) => {
      const code = error === null ? 0 : error.code;
      resolve({ code: typeof code === 'number' ? code : null, out, err });
    });
  });
