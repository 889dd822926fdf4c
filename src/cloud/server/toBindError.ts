import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import { findErrorCode } from '../../base/errors/findErrorCode.ts';

/** `conflict` for a port that is taken, `bad-argument` for one that cannot be opened. */
export function toBindError(
  error: Error,
  { host, port }: { host: string; port: number },
): SvcError {
  const code = findErrorCode(error);
  const text =
    code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is in use. Choose another one with --port, or any free one with --port 0.`
      : `svc cannot listen on port ${port} of ${host} (${code ?? toErrorMessage(error)}). Choose others with --port and --host.`;
  return new SvcError(code === 'EADDRINUSE' ? 'conflict' : 'bad-argument', text, {
    data: { host, port },
  });
}
