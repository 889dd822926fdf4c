import { TRANSFER_TIMEOUT_MS } from './checkout.ts';
import { findMovedAddress, isMovedError } from './findMovedAddress.ts';
import { type GitNetwork, type GitRun, runGit } from './runGit.ts';

/** Runs git with a login, and once more at the present address where the forge has moved the repository. */
export async function runAtPresentAddress(
  network: GitNetwork,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<GitRun> {
  const run = (at: GitNetwork) =>
    runGit(
      args.map((arg) => (arg === network.url ? at.url : arg)),
      {
        network: at,
        timeoutMs: TRANSFER_TIMEOUT_MS,
        answers: [1, 128],
        ...(signal && { signal }),
      },
    );
  const first = await run(network);
  if (first.exitCode === 0 || !isMovedError(first.stderr)) return first;
  const movedUrl = await findMovedAddress(network).catch(() => null);
  return movedUrl === null ? first : run({ ...network, url: movedUrl });
}
