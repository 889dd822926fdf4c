import { findErrorCode } from '../../errors/findErrorCode.ts';

/** Whether a process with this id exists, of whichever user. */
export const isProcessAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return findErrorCode(error) === 'EPERM';
  }
};
