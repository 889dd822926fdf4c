import type { NotificationItem } from './notificationMessage.ts';

/** `Exit code 3, first error in line 12 of the log`, as far as it is known; empty = nothing failed. */
export function describeExit({ job }: Pick<NotificationItem, 'job'>): string {
  const { exitCode = null, firstError = null } = job ?? {};
  const parts = [
    exitCode === null ? '' : `exit code ${exitCode}`,
    firstError === null ? '' : `first error in line ${firstError.line} of the log`,
  ].filter(Boolean);
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
