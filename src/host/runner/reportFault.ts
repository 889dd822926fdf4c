import { KernelError } from '../../kernel/contract.ts';
import type { Log } from '../../base/system/log/log.ts';

/**
 * Writes a fault of the runner to its log. While it stops, events are refused and come again after
 * the next start: that is logged without a stack.
 */
export function reportFault(
  log: Pick<Log, 'error' | 'info'>,
  where: object,
  err: unknown,
  message: string,
): void {
  if (err instanceof KernelError && err.code === 'stopping')
    log.info(where, `${message}: the runner is stopping`);
  else log.error({ ...where, err }, message);
}
